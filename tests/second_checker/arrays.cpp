// Section 2: arrays in blobs.
#include "arrays.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

// Whether the input is one zlib stream, of all bytes of the output but the last one, which is to be left over.
static bool inflates(const unsigned char* input, size_t length, std::vector<unsigned char>& output) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    stream.next_in = const_cast<unsigned char*>(input);  // zlib does not write there
    stream.avail_in = static_cast<uInt>(length);         // of 32 bits in the header
    stream.next_out = output.data();
    const unsigned char* const end = output.data() + output.size();
    int code = Z_OK;
    while (code == Z_OK && stream.next_out != end) {
        stream.avail_out = static_cast<uInt>(std::min<size_t>(end - stream.next_out, 1 << 30));
        code = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && stream.avail_in == 0 && stream.next_out == end - 1;
}

uint64_t Arrays::number(int bytes) {
    require(blob_.size() - at_ >= static_cast<size_t>(bytes), name_ + ": the blob ends too early");
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= uint64_t{blob_[at_++]} << (8 * i);
    return value;
}

Array<uint64_t> Arrays::words(const char* kinds, int dimensions, size_t most) {
    kind_ = number(1);
    require(std::string(kinds).find(static_cast<char>(kind_)) != std::string::npos, name_ + ": an array is of another kind");
    const size_t width = number(1);
    require(kind_ == 'f' ? width == 8 : width <= 8, name_ + ": an array has numbers of a wrong width");
    require(number(1) == static_cast<uint64_t>(dimensions), name_ + ": an array has another number of dimensions");
    const size_t length = number(4);
    Array<uint64_t> array;
    size_t entries = 1;
    for (int i = 0; i < dimensions; ++i) {
        array.shape.push_back(number(4));
        require(!__builtin_mul_overflow(entries, array.shape.back(), &entries), name_ + ": an array is too large");
    }
    require(entries <= most, name_ + ": an array has too many entries");
    hold(static_cast<double>(entries) * (width + 16.0), name_.c_str());
    require(blob_.size() - at_ >= length, name_ + ": the blob ends too early");
    std::vector<unsigned char> content(entries * width + 1);
    require(inflates(&blob_[0] + at_, length, content), name_ + ": an array is not what its header announces");
    at_ += length;
    array.numbers.resize(entries);
    for (size_t plane = 0; plane < width; ++plane) {
        for (size_t i = 0; i < entries; ++i) array.numbers[i] |= uint64_t{content[plane * entries + i]} << (8 * plane);
    }
    return array;
}

Array<int64_t> Arrays::integers(int dimensions, size_t most) {
    const auto [shape, folded] = words("id", dimensions, most);
    Array<int64_t> array{shape, {}};
    array.numbers.reserve(folded.size());
    uint64_t sum = 0;
    for (const uint64_t word : folded) {
        const uint64_t value = (word >> 1) ^ (0 - (word & 1));  // word is 2 x, or -2 x - 1
        sum = kind_ == 'd' ? sum + value : value;
        array.numbers.push_back(static_cast<int64_t>(sum));
    }
    return array;
}

Array<double> Arrays::doubles(int dimensions, size_t most) {
    const auto [shape, bits] = words("f", dimensions, most);
    Array<double> array{shape, std::vector<double>(bits.size())};
    auto& numbers = array.numbers;
    if (!bits.empty()) std::memcpy(numbers.data(), bits.data(), 8 * bits.size());
    const bool are_finite = std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    require(are_finite, name_ + ": a number is not finite");
    return array;
}

Array<int64_t> read_integers(const Blob& blob, const char* name, int dimensions, size_t most) {
    Arrays arrays(blob, name);
    auto array = arrays.integers(dimensions, most);
    arrays.require_finished();
    return array;
}

Array<double> read_doubles(const Blob& blob, const char* name, int dimensions) {
    Arrays arrays(blob, name);
    auto array = arrays.doubles(dimensions);
    arrays.require_finished();
    return array;
}
