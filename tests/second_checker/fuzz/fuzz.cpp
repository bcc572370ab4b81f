// An entry for libFuzzer: a sound run file, one value of which is what the fuzzer says.
//
// PCSOS_FUZZ names a folder of run files. The first bytes of an input choose one of them and a value in it; the others take its
// place: as they are, as the content of one of its arrays (compressed anew, so that they get past zlib), or as the whole file.
#include <sqlite3.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../claim.h"

namespace {

using Bytes = std::string;

struct Place {
    std::string table, column;
    int64_t row;
    Bytes value;
    bool is_text;
};

struct Base {
    Bytes content;
    std::vector<Place> places;
};

const std::string scratch = "/dev/shm/pcsos-fuzz-" + std::to_string(getpid()) + ".run";

void write(const Bytes& content) { std::ofstream(scratch, std::ios::binary) << content; }

std::vector<Place> places_of(const std::string& path) {
    std::vector<Place> places;
    sqlite3* file = nullptr;
    sqlite3_open(path.c_str(), &file);
    for (const std::string table : {"instance", "problems", "evidence", "claim"}) {
        sqlite3_stmt* rows = nullptr;
        sqlite3_prepare_v2(file, ("SELECT rowid, * FROM " + table).c_str(), -1, &rows, nullptr);
        while (rows && sqlite3_step(rows) == SQLITE_ROW) {
            for (int at = 1; at < sqlite3_column_count(rows); ++at) {
                const int type = sqlite3_column_type(rows, at);
                if (type != SQLITE_BLOB && type != SQLITE_TEXT) continue;
                const auto* data = static_cast<const char*>(sqlite3_column_blob(rows, at));
                places.push_back({table, sqlite3_column_name(rows, at), sqlite3_column_int64(rows, 0),
                                  Bytes(data ? data : "", sqlite3_column_bytes(rows, at)), type == SQLITE_TEXT});
            }
        }
        sqlite3_finalize(rows);
    }
    sqlite3_close(file);
    return places;
}

const std::vector<Base>& bases() {
    static std::vector<Base> all;
    if (all.empty()) {
        const char* folder = std::getenv("PCSOS_FUZZ");
        for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : ".")) {
            std::ifstream file(entry.path(), std::ios::binary);
            const Bytes content{std::istreambuf_iterator<char>(file), {}};
            if (content.size() < 200000) all.push_back({content, places_of(entry.path().string())});
        }
    }
    return all;
}

// Where its stream begins, and how long it is: of the array that begins at `head`.
std::pair<size_t, uint32_t> stream_of(const Bytes& blob, size_t head) {
    uint32_t length = 0;
    std::memcpy(&length, &blob[head + 3], 4);
    return {head + 7 + 4 * static_cast<unsigned char>(blob[head + 2]), length};
}

// Where the arrays of a blob begin; exponents and a count stand before those of multipliers.
std::vector<size_t> heads(const Bytes& blob) {
    std::vector<size_t> found;
    for (size_t at = 0; at + 7 <= blob.size();) {
        const auto [start, length] = stream_of(blob, at);
        const bool is_array = std::strchr("fid", blob[at]) && blob[at];
        if (is_array && start + length <= blob.size()) found.push_back(at);
        at = is_array ? start + length : at + 12;
    }
    return found;
}

// The blob with other content in one of its arrays: its stream and its length fit.
Bytes packed(const Bytes& blob, size_t which, const Bytes& content) {
    const auto found = heads(blob);
    if (found.empty()) return content;
    const size_t head = found[which % found.size()];
    auto [start, length] = stream_of(blob, head);
    uLongf size = compressBound(content.size());
    Bytes stream(size, '\0');
    compress(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(content.data()), content.size());
    stream.resize(size);
    Bytes result = blob.substr(0, start) + stream + blob.substr(start + length);
    length = static_cast<uint32_t>(size);
    std::memcpy(&result[head + 3], &length, 4);
    return result;
}

void put(const Place& place, const Bytes& value) {
    sqlite3* file = nullptr;
    sqlite3_open(scratch.c_str(), &file);
    sqlite3_exec(file, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", nullptr, nullptr, nullptr);
    sqlite3_stmt* update = nullptr;
    const std::string sql = "UPDATE " + place.table + " SET " + place.column + " = ? WHERE rowid = ?";
    sqlite3_prepare_v2(file, sql.c_str(), -1, &update, nullptr);
    if (place.is_text) sqlite3_bind_text(update, 1, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    else sqlite3_bind_blob(update, 1, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    sqlite3_bind_int64(update, 2, place.row);
    sqlite3_step(update);
    sqlite3_finalize(update);
    sqlite3_close(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, size_t count) {
    if (count < 4 || bases().empty()) return 0;
    const Base& base = bases()[(bytes[0] + 256U * (bytes[1] & 3U)) % bases().size()];
    const Place& place = base.places[bytes[2] % base.places.size()];
    const Bytes said(reinterpret_cast<const char*>(bytes) + 4, count - 4);
    write(bytes[3] == 255 ? said : base.content);
    if (bytes[3] != 255) put(place, bytes[3] & 1 ? said : packed(place.value, bytes[3] / 2, said));
    try {
        check_file(scratch, std::nullopt, 1);
    } catch (const Refusal&) {
    }
    return 0;
}
