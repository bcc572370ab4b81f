#include "database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

namespace {

// Names of columns and their classes: integer, real, finite real, text, blob; small letters where NULL may stand.
const std::pair<const char*, const char*> all_tables[] = {
    {"instance", "n_clusters I points B weights B must_link B cannot_link B digest T options T names T version T "
                 "conditions T gram b"},
    {"problems", "problem I parent I change T content B digest T"},
    {"evidence", "position I problem I kind T bound R payload B seconds F digest T"},
    {"incumbents", "position I labels B objective F source T seconds F"},
    {"events", "position I name T time F data T"},
    {"claim", "status T objective f lower_bound f labels b details T digest T"}};

bool is_utf8(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at++]);
        const size_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if ((more && lead < 0xc2) || lead > 0xf4 || text.size() - at < more) return false;
        uint32_t code = lead & (0xff >> (more + 1));
        for (size_t i = 0; i < more; ++i, ++at) {
            if ((text[at] & 0xc0) != 0x80) return false;
            code = code << 6 | (text[at] & 0x3f);
        }
        if (more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) return false;
        if (more == 3 && (code < 0x10000 || code > 0x10ffff)) return false;
    }
    return true;
}

// What creates a table, with a blank behind each token; refuses all but the words of section 1.
std::string tokens(const std::string& sql, const std::map<std::string, Columns>& tables) {
    std::set<std::string> words = {"CREATE", "TABLE",  "INTEGER", "REAL", "TEXT", "BLOB", "NOT",
                                   "NULL",   "UNIQUE", "PRIMARY", "KEY",  "(",    ")",    ","};
    for (const auto& [table, columns] : tables) {
        words.insert(table);
        for (const auto& [name, type] : columns) words.insert(name);
    }
    std::string spaced, result, word;
    for (const char c : sql) spaced += c == '(' || c == ')' || c == ',' ? std::string{' ', c, ' '} : std::string{c};
    for (std::istringstream stream(spaced); stream >> word; result += word + " ") {
        require(words.count(word), "a table is created with a word that may not be there");
    }
    return result;
}

// The bytes of a text or a blob.
template <class Bytes>
Bytes bytes_at(sqlite3_stmt* row, int column) {
    const auto* data = static_cast<const typename Bytes::value_type*>(sqlite3_column_blob(row, column));
    return data ? Bytes(data, data + sqlite3_column_bytes(row, column)) : Bytes();
}
constexpr auto text_at = bytes_at<std::string>;

// The value, if it is of this class.
std::optional<Value> value_at(sqlite3_stmt* row, int column, char type) {
    const int stored = sqlite3_column_type(row, column);
    const char kind = static_cast<char>(type & ~32);
    std::optional<Value> value;
    if (stored == SQLITE_NULL && type >= 'a') value = Value();
    if (stored == SQLITE_INTEGER && kind == 'I') value = int64_t{sqlite3_column_int64(row, column)};
    if (stored == SQLITE_FLOAT && (kind == 'R' || kind == 'F')) value = sqlite3_column_double(row, column);
    if (stored == SQLITE_TEXT && kind == 'T') value = text_at(row, column);
    if (stored == SQLITE_BLOB && kind == 'B') value = bytes_at<Blob>(row, column);
    if (!value) return value;
    const auto* const integer = std::get_if<int64_t>(&*value);
    const auto* const real = std::get_if<double>(&*value);
    const auto* const text = std::get_if<std::string>(&*value);
    const bool holds = (!integer || (*integer >= 0 && *integer < int64_t{1} << 62)) && (!text || is_utf8(*text)) &&
                       (!real || (kind == 'F' ? std::isfinite(*real) : !std::isnan(*real)));
    return holds ? value : std::nullopt;
}

std::string uri(const std::string& path, bool is_alone) {
    std::string result = "file:";
    for (const unsigned char c : path) result += {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
    return result + (is_alone ? "?immutable=1" : "?mode=ro");  // without a journal nothing need be locked or written
}

}  // namespace

Database::Database(const std::string& path) : file_(nullptr, sqlite3_close_v2) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_regular_file(real, error)) throw NoRunFile("the file cannot be opened");
    bytes_ = static_cast<double>(std::filesystem::file_size(real, error));
    bool is_alone = true;
    for (const char* ending : {"-wal", "-journal"}) {
        const auto size = std::filesystem::file_size(real.string() + ending, error);
        if (!error && size > 0) is_alone = false, bytes_ += static_cast<double>(size);
    }
    sqlite3* file = nullptr;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX;
    const int code = sqlite3_open_v2(uri(real.string(), is_alone).c_str(), &file, flags, nullptr);
    file_.reset(file);
    if (code != SQLITE_OK) throw NoRunFile("the file cannot be opened");
    sqlite3_db_config(file, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(file, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(file, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_limit(file, SQLITE_LIMIT_LENGTH, static_cast<int>(std::min(bytes_ + 1e6, 2e9)));
    sqlite3_limit(file, SQLITE_LIMIT_COLUMN, 40);
    sqlite3_limit(file, SQLITE_LIMIT_ATTACHED, 0);
    try {
        check_format();
    } catch (const Refusal& refusal) {
        throw NoRunFile(refusal.what());
    }
    check_tables();
}

Database::Statement Database::prepare(const std::string& sql, int64_t parameter) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(file_.get(), sql.c_str(), -1, &statement, nullptr);
    Statement result(statement, sqlite3_finalize);
    require(code == SQLITE_OK, std::string("the database cannot be read: ") + sqlite3_errmsg(file_.get()));
    sqlite3_bind_int64(statement, 1, parameter);  // does nothing where there is none
    return result;
}

bool Database::step(const Statement& statement) {
    const int code = sqlite3_step(statement.get());
    if (code == SQLITE_ROW || code == SQLITE_DONE) return code == SQLITE_ROW;
    throw Refusal(std::string("the database cannot be read: ") + sqlite3_errmsg(file_.get()));
}

std::string Database::text_of(const std::string& sql) {
    const Statement statement = prepare(sql);
    return step(statement) ? text_at(statement.get(), 0) : "";
}

void Database::check_format() {
    step(prepare("BEGIN"));  // one state of the file for all that follows
    require(text_of("PRAGMA application_id") == std::to_string(0x70635253), "the file is no run file");
    require(text_of("PRAGMA user_version") == "10", "the file is of a format that is not known");
    for (const auto& [table, described] : all_tables) {
        std::istringstream words(described);
        std::string name;
        for (char type; words >> name >> type;) tables_[table].emplace_back(name, type);
    }
}

void Database::check_tables() {
    std::map<std::string, std::string> created;
    std::multiset<std::string> keys;  // tables with an index that comes of a key
    for (const Statement schema = prepare("SELECT type, name, sql, tbl_name FROM sqlite_master"); step(schema);) {
        const std::string type = text_at(schema.get(), 0), name = text_at(schema.get(), 1);
        if (type == "index" && sqlite3_column_type(schema.get(), 2) == SQLITE_NULL) {
            keys.insert(text_at(schema.get(), 3));
            continue;
        }
        require(type == "table" && tables_.count(name), "the database holds something that may not be there");
        created[name] = tokens(text_at(schema.get(), 2), tables_);
    }
    require(keys == std::multiset<std::string>{"evidence"}, "the evidence has no key, or a table has a further one");
    for (const auto& [table, columns] : tables_) {
        const Statement there = prepare("PRAGMA table_xinfo(" + table + ")");  // name, type, .., hidden
        for (const auto& [name, type] : columns) {
            const bool holds = step(there) && text_at(there.get(), 1) == name;
            require(holds && text_at(there.get(), 6) == "0", "a table is missing or has other columns: " + table);
            const bool is_key = table != "problems" || name != "problem" || text_at(there.get(), 5) == "1";
            require(is_key, "the problems have no key");
        }
        require(!step(there), "a table has other columns: " + table);
    }
    const std::string& evidence = created["evidence"];
    const auto has = [&](const char* key) { return evidence.find(key + std::string(" ( problem , position )")) != std::string::npos; };
    require(has("UNIQUE") || has("PRIMARY KEY"), "the evidence has another key");
    require(text_of("PRAGMA integrity_check(1)") == "ok", "the database is damaged");
}

std::vector<Row> Database::rows(const std::string& table, const std::string& rest, int64_t parameter) {
    const Columns& columns = tables_.at(table);
    std::vector<Row> found;
    for (const Statement statement = prepare("SELECT * FROM " + table + rest, parameter); step(statement);) {
        found.push_back({&columns, {}});
        for (const auto& [name, type] : columns) {
            auto value = value_at(statement.get(), static_cast<int>(found.back().values.size()), type);
            if (!value) throw Refusal(table + ": a value is of a wrong class or out of range: " + name);
            found.back().values.push_back(std::move(*value));
        }
    }
    return found;
}

Row Database::only(const char* table) {
    auto found = rows(table, " LIMIT 2");
    require(found.size() == 1, std::string("there is not just one row: ") + table);
    return std::move(found[0]);
}

Row Database::problem(int64_t number) {
    auto found = rows("problems", " WHERE problem = ?", number);  // which is the key, of integers
    require(number >= 1 && found.size() == 1, "a problem does not exist");
    return std::move(found[0]);
}

std::vector<Row> Database::evidence(int64_t problem) {
    const std::string last = "SELECT max(position) FROM evidence WHERE problem = ?1 AND kind = 'cover'";
    const std::string counts = "(kind IS NOT 'cover' OR position IS (" + last + "))";
    return rows("evidence", " WHERE problem = ?1 AND " + counts + " ORDER BY position", problem);
}
