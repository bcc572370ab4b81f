// Section 2: arrays in blobs.
#pragma once

#include "model.h"

using Blob = std::vector<unsigned char>;

template <class Number>
struct Array {
    std::vector<size_t> shape;
    std::vector<Number> numbers;
};

// Reads the arrays of one blob, one after the other; refuses whatever section 2 does not allow.
class Arrays {
  public:
    Arrays(const Blob& blob, std::string name) : blob_(blob), name_(std::move(name)) {}
    int32_t exponent() { return static_cast<int32_t>(number(4)); }
    uint32_t count() { return static_cast<uint32_t>(number(4)); }
    // The next array of kind i or d, with so many dimensions and at most so many entries.
    Array<int64_t> integers(int dimensions, size_t most = SIZE_MAX);
    // The next array of kind f; all entries are finite.
    Array<double> doubles(int dimensions, size_t most = SIZE_MAX);
    void skip() { at_ = blob_.size(); }
    void require_finished() const { require(at_ == blob_.size(), name_ + ": something follows the last array"); }

  private:
    uint64_t number(int bytes);
    Array<uint64_t> words(const char* kinds, int dimensions, size_t most);
    const Blob& blob_;
    std::string name_;
    size_t at_ = 0;
    uint64_t kind_ = 0;  // of the last array
};

// The one array of a blob.
Array<int64_t> read_integers(const Blob&, const char* name, int dimensions, size_t most = SIZE_MAX);
Array<double> read_doubles(const Blob&, const char* name, int dimensions);
