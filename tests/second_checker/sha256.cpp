#include "sha256.h"

#include <algorithm>
#include <cstring>

static uint32_t turned(uint32_t x, int i, int j) { return (x >> i | x << (32 - i)) ^ (x >> j | x << (32 - j)); }
static uint32_t turned(uint32_t x, int i, int j, int l) { return turned(x, i, j) ^ (x >> l | x << (32 - l)); }

// The first 32 binary digits of the fractions of roots of primes.
static std::vector<uint32_t> constants(size_t count, unsigned degree) {
    std::vector<uint32_t> result;
    Integer prime = 1, root;
    while (result.size() < count) {
        mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
        mpz_mul_2exp(root.get_mpz_t(), prime.get_mpz_t(), 32 * degree);
        mpz_root(root.get_mpz_t(), root.get_mpz_t(), degree);
        result.push_back(static_cast<uint32_t>(root.get_ui()));
    }
    return result;
}

// FIPS 180-4.
std::string sha256(std::string message) {
    const uint64_t length = 8 * uint64_t{message.size()};
    message += '\x80';
    message.append((120 - message.size() % 64) % 64, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) message += static_cast<char>(length >> shift);
    std::vector<uint32_t> state = constants(8, 2), w(64);
    const std::vector<uint32_t> k = constants(64, 3);
    for (size_t at = 0; at < message.size(); at += 64) {
        for (size_t i = 0; i < 64; ++i) w[i / 4] = (w[i / 4] << 8) | static_cast<unsigned char>(message[at + i]);
        for (size_t i = 16; i < 64; ++i) {
            const uint32_t x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (turned(x, 7, 18) ^ x >> 3) + (turned(y, 17, 19) ^ y >> 10);
        }
        uint32_t v[8];
        std::copy(state.begin(), state.end(), v);
        for (size_t i = 0; i < 64; ++i) {
            const uint32_t a = v[0], e = v[4];
            const uint32_t first = v[7] + turned(e, 6, 11, 25) + ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
            const uint32_t second = turned(a, 2, 13, 22) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
            std::copy_backward(v, v + 7, v + 8);
            v[4] += first, v[0] = first + second;
        }
        for (size_t i = 0; i < 8; ++i) state[i] += v[i];
    }
    std::string digits;
    for (int i = 0; i < 64; ++i) digits += "0123456789abcdef"[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    return digits;
}

static void append(std::string& message, uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) message += static_cast<char>(number >> shift);
}

static void append(std::string& message, const std::vector<double>& numbers) {
    const size_t start = message.size();
    message.resize(start + 8 * numbers.size());
    std::memcpy(&message[start], numbers.data(), 8 * numbers.size());  // as the file has them: little-endian
}

static void append(std::string& message, const std::vector<std::pair<int, int>>& pairs, bool with_loops) {
    std::vector<std::pair<int, int>> sorted;
    for (const auto& [i, j] : pairs) {
        if (i != j || with_loops) sorted.emplace_back(std::minmax(i, j));
    }
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    append(message, 2 * sorted.size());
    for (const auto& [i, j] : sorted) append(message, uint64_t(i)), append(message, uint64_t(j));
}

static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (size_t at = 0; at < text.size();) {
        uint32_t code = static_cast<unsigned char>(text[at++]);
        const int more = code < 0xc0 ? 0 : code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
        if (more) code &= 0x3f >> more;
        for (int i = 0; i < more; ++i) code = code << 6 | (text[at++] & 0x3f);
        const char* const names = "\"\"\\\\\bb\ff\nn\rr\tt";
        const char* const named = code && code < 0x80 ? std::strchr(names, static_cast<int>(code)) : nullptr;
        if (named && (code < 0x20 || named[0] == named[1])) {
            result += {'\\', named[1]};
        } else if (code >= 0x20 && code <= 0x7e) {
            result += static_cast<char>(code);
        } else {
            char unit[16];
            const bool is_pair = code >= 0x10000;
            const uint32_t first = is_pair ? 0xd7c0 + (code >> 10) : code, second = 0xdc00 + (code & 0x3ff);
            std::snprintf(unit, sizeof unit, is_pair ? "\\u%04x\\u%04x" : "\\u%04x", first, second);
            result += unit;
        }
    }
    return result + '"';
}

static std::string canonical(const Json& json) {
    std::string inside;
    const auto add = [&](const std::string& item) { inside += (inside.empty() ? "" : ", ") + item; };
    for (const Json& item : json.list) add(canonical(item));
    for (const auto& [name, item] : json.object) add(quoted(name) + ": " + canonical(item));
    switch (json.kind) {
        case Json::Null: return "null";
        case Json::Bool: return json.truth ? "true" : "false";
        case Json::Text: return quoted(json.text);
        case Json::List: return "[" + inside + "]";
        case Json::Object: return "{" + inside + "}";
        default: return json.text;
    }
}

std::string digest(const Data& data, int k, const Links& links, const Json& conditions,
                   const std::vector<double>* gram) {
    std::string message = "pcsos instance 1";
    for (const int number : {data.n, data.d, k}) append(message, uint64_t(number));
    append(message, data.points.size()), append(message, data.points);
    append(message, data.weights.size()), append(message, data.weights);
    append(message, links.together, false);
    append(message, links.apart, true);
    const std::string stated = canonical(conditions);
    if (stated != "{}") message += stated;
    if (gram) message += "gram", append(message, *gram);
    return sha256(std::move(message));
}
