// Eigenvectors and triangular factors in floating point. They are a proposal: section 6 proves something whatever they are.
#pragma once

#include <cstddef>
#include <vector>

double inner(const double* x, const double* y, size_t n);

// The lower triangle of a matrix, row by row: row(i)[j] with j <= i.
template <class Number>
struct Triangle {
    size_t size;
    std::vector<Number> entries;
    explicit Triangle(size_t n) : size(n), entries(n * (n + 1) / 2) {}
    Number* row(size_t i) { return entries.data() + i * (i + 1) / 2; }
    const Number* row(size_t i) const { return entries.data() + i * (i + 1) / 2; }
};

// Of a symmetric matrix, which is overwritten: eigenvalues, increasing, and the eigenvectors of so many of the least ones,
// one a row. False if they are not found.
bool eigenvectors(Triangle<double>& matrix, size_t count, std::vector<double>& values, std::vector<double>& vectors);

// L of a positive definite matrix L L', in its place; false if there is none.
bool factorise(Triangle<double>& matrix);
