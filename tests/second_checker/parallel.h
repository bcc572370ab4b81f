// Loops that several threads share.
#pragma once

#include <atomic>
#include <future>

#include "model.h"

// work(i) for all i < count, some of them at a time, in any order; what comes out must not depend on it. Where a matrix has
// few rows, one thread does it all.
template <class Work>
void in_parallel(size_t rows, size_t count, size_t at_once, const Work& work) {
    std::atomic<size_t> next{0};
    const auto take = [&] {
        for (size_t first = next.fetch_add(at_once); first < count; first = next.fetch_add(at_once))
            for (size_t i = first; i < std::min(count, first + at_once); ++i) work(i);
    };
    std::vector<std::future<void>> others;
    for (int i = 1; i < budget.threads && rows >= 400; ++i) others.push_back(std::async(std::launch::async, take));
    take();
    for (auto& other : others) other.get();
}
