// Section 1, JSON: RFC 8259, without repeated names. Numbers keep their text, for the digest.
#include "json.h"

#include <cstdlib>
#include <cstring>

namespace {

class Parser {
  public:
    Parser(const std::string& text, const char* name) : text_(text), name_(name) {}
    Json document() {
        Json json = value(0);
        check(peek() == '\0' && at_ == text_.size());
        return json;
    }

  private:
    const std::string& text_;
    const std::string name_;
    size_t at_ = 0;
    double held_ = 0;

    void check(bool holds) const {
        if (!holds) throw Refusal(name_ + ": this is no JSON, or nested too deep, or too long");
    }
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(const char* letters) {
        const bool is_there = text_.compare(at_, std::strlen(letters), letters) == 0;
        at_ += is_there ? std::strlen(letters) : 0;
        return is_there;
    }
    char peek() {  // behind blanks
        while (here() && std::strchr(" \t\n\r", here())) ++at_;
        return here();
    }
    void digits() {
        check(here() >= '0' && here() <= '9');
        while (here() >= '0' && here() <= '9') ++at_;
    }

    Json value(int depth) {
        held_ += 2 * sizeof(Json);  // lists grow by doubling
        check(depth <= 16 && held_ <= 120e6 + 120 * static_cast<double>(text_.size()));
        Json json;
        const char first = peek();
        if (first == '"') {
            json.kind = Json::Text, json.text = string();
        } else if (first == '[' || first == '{') {
            json.kind = first == '[' ? Json::List : Json::Object;
            const char* const end = first == '[' ? "]" : "}";
            ++at_;
            for (bool is_first = true; peek(), !take(end); is_first = false) {
                check(is_first || take(","));
                if (json.kind == Json::List) json.list.push_back(value(depth + 1));
                else member(json, depth);
            }
        } else if (first == 't' || first == 'f') {
            json.kind = Json::Bool, json.truth = first == 't';
            check(take(json.truth ? "true" : "false"));
        } else if (!take("null")) {
            number(json);
        }
        return json;
    }

    void member(Json& json, int depth) {
        peek();
        std::string name = string();
        check(peek() == ':');
        ++at_;
        require(json.object.emplace(std::move(name), value(depth + 1)).second, name_ + ": a name is twice in one object");
    }

    void number(Json& json) {
        const size_t start = at_;
        take("-");
        if (!take("0")) digits();
        json.kind = Json::Whole;
        if (take(".")) json.kind = Json::Real, digits();
        if (take("e") || take("E")) {
            json.kind = Json::Real;
            if (!take("+")) take("-");
            digits();
        }
        json.text = text_.substr(start, at_ - start);
        check(json.kind == Json::Real || json.text.size() <= 401);
        if (json.kind == Json::Whole) json.whole = Integer(json.text, 10);
        else json.real = std::strtod(json.text.c_str(), nullptr);  // the nearest double, perhaps infinite
    }

    uint32_t hexadecimal() {
        const std::string four = text_.substr(at_, 4);
        check(four.size() == 4 && four.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos);
        at_ += 4;
        return static_cast<uint32_t>(std::strtoul(four.c_str(), nullptr, 16));
    }

    // Half of a surrogate pair by itself, which UTF-8 does not have, becomes three bytes, different from all others.
    uint32_t escaped() {
        const char letter = here();
        const char* const found = letter >= ' ' ? std::strchr("\"\"\\\\//b\bf\fn\nr\rt\t", letter) : nullptr;
        check(found || letter == 'u');
        ++at_;
        if (found) return static_cast<unsigned char>(found[1]);
        const uint32_t high = hexadecimal();
        const size_t before = at_;
        if (high < 0xd800 || high >= 0xdc00 || !take("\\u")) return high;
        const uint32_t low = hexadecimal();
        if (low >= 0xdc00 && low < 0xe000) return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        at_ = before;
        return high;
    }

    std::string string() {
        std::string result;
        check(take("\""));
        while (!take("\"")) {
            check(static_cast<unsigned char>(here()) >= 0x20);
            if (!take("\\")) {
                result += text_[at_++];
                continue;
            }
            const uint32_t code = escaped();
            const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            result += static_cast<char>(more ? (0xff00 >> (more + 1) & 0xff) | code >> (6 * more) : code);
            for (int i = more; i-- > 0;) result += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
        }
        return result;
    }
};

}  // namespace

Json parse_json(const std::string& text, const char* name) { return Parser(text, name).document(); }
