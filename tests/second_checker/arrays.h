// Section 2: arrays in blobs.
#pragma once

#include "model.h"

using Blob = std::vector<unsigned char>;

struct Shape {
    std::vector<uint32_t> sizes;
    size_t count() const;  // the product of the sizes; refuses what overflows
};

// Reads the arrays of one blob, one after the other; refuses whatever section 2 does not allow.
class Arrays {
  public:
    Arrays(const Blob& blob, const char* name) : blob_(blob), name_(name) {}
    int32_t exponent() { return static_cast<int32_t>(number(4)); }
    uint32_t count() { return static_cast<uint32_t>(number(4)); }
    // The next array of kind i or d, with so many dimensions and at most so many entries.
    std::vector<int64_t> integers(int dimensions, size_t most, Shape& shape);
    // The next array of kind f; all entries are finite.
    std::vector<double> doubles(int dimensions, size_t most, Shape& shape);
    bool finished() const { return at_ == blob_.size(); }  // nothing follows
    void require_finished() const { require(finished(), name_ + ": something follows the last array"); }

  private:
    uint64_t number(int bytes);
    std::vector<uint64_t> words(const char* kinds, int dimensions, size_t most, Shape& shape);
    const Blob& blob_;
    std::string name_;
    size_t at_ = 0;
    uint64_t kind_ = 0;  // of the last array
};

// The one array of a blob.
std::vector<int64_t> read_integers(const Blob&, const char* name, int dimensions, size_t most, Shape&);
std::vector<double> read_doubles(const Blob&, const char* name, int dimensions, Shape&);
