// Eigenvalues and eigenvectors in floating point. They are a proposal: section 6 proves something whatever they are.
#pragma once

#include <cstddef>
#include <vector>

double inner(const double* x, const double* y, size_t n);

// Of a symmetric matrix with n rows, of which the lower triangle is read, and which is overwritten: eigenvalues,
// increasing, and eigenvectors, one a row. False if they are not found.
bool eigenvectors(std::vector<double>& rows, size_t n, std::vector<double>& values, std::vector<double>& vectors);
