// pcsos-check: a checker of run files, written from the page that specifies them.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "claim.h"
#include "decimal.h"
#include "database.h"

namespace {

// 0: accepted; 1: refused; 3: no run file.
int check(const std::string& path, std::optional<double> gap, int threads, bool is_quiet) {
    std::string sentence;
    int code = 1;
    try {
        const Verdict verdict = check_file(path, gap, threads);
        sentence = "accepted: " + verdict.status + ", objective " + decimal(verdict.cost, true, "-") + ", lower bound " +
                   decimal(verdict.bound, false, "inf") + ", gap " + decimal(verdict.gap, true, verdict.cost && !verdict.gap ? "inf" : "-") + ", digest " +
                   verdict.digest;
        code = 0;
    } catch (const NoRunFile& refusal) {
        code = 3, sentence = std::string("refused: ") + refusal.what();
    } catch (const std::exception& refusal) {
        sentence = std::string("refused: ") + refusal.what();
    }
    sentence = path + ": " + sentence;
    std::replace_if(sentence.begin(), sentence.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
    if (!is_quiet) std::cout << sentence << std::endl;
    return code;
}

}  // namespace

int main(int count, char** arguments) {
    std::optional<double> gap;
    int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency())), at = 1, worst = 0;
    bool is_quiet = false, is_right = true;
    for (; is_right && at < count && std::strncmp(arguments[at], "--", 2) == 0; ++at) {
        const std::string option = arguments[at];
        if (option == "--quiet") {
            is_quiet = true;
            continue;
        }
        char* end = nullptr;
        const double value = ++at < count ? std::strtod(arguments[at], &end) : -1;
        is_right = value >= 0 && value <= 256 && *end == '\0' && end != arguments[at];
        if (option == "--gap") gap = value;
        else if (option == "--threads" && value >= 1 && is_right) threads = static_cast<int>(value);
        else is_right = false;
    }
    if (!is_right || at >= count) {
        std::cerr << "usage: pcsos-check [--gap G] [--threads N] [--quiet] RUN_FILE ...\n";
        return 2;
    }
    for (; at < count; ++at) worst = std::max(worst, check(arguments[at], gap, threads, is_quiet));
    return worst;
}
