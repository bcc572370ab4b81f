// Section 1: the run file as a database, of which nothing may run. Rows are read with the classes of all their values.
#pragma once

#include <map>
#include <memory>
#include <variant>

#include "arrays.h"

struct sqlite3;
struct sqlite3_stmt;

// The file cannot be opened, or is no run file.
struct NoRunFile : Refusal {
    using Refusal::Refusal;
};

using Value = std::variant<std::monostate, int64_t, double, std::string, Blob>;
using Columns = std::vector<std::pair<std::string, char>>;  // names, and the classes of values

struct Row {
    const Columns* columns = nullptr;
    std::vector<Value> values;
    template <class T>
    const T* get(const char* name) const {  // null for NULL
        for (size_t i = 0; i < values.size(); ++i) {
            if ((*columns)[i].first == name) return std::get_if<T>(&values[i]);
        }
        return nullptr;
    }
    template <class T>
    const T& need(const char* name) const {
        const T* const value = get<T>(name);
        require(value, std::string(name) + " is missing");
        return *value;
    }
};

class Database {
  public:
    explicit Database(const std::string& path);
    double bytes() const { return bytes_; }
    Row only(const char* table);  // the one row of a table
    // Several threads may ask for these.
    Row problem(int64_t number);
    std::vector<Row> evidence(int64_t problem);  // in order, and of covers only the last one

  private:
    using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
    Statement prepare(const std::string& sql, int64_t parameter = 0);
    bool step(const Statement&);
    std::string text_of(const std::string& sql);
    void check_format();
    void check_tables();
    std::vector<Row> rows(const std::string& table, const std::string& rest, int64_t parameter = 0);
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> file_;
    double bytes_ = 0;
    std::map<std::string, Columns> tables_;
};
