// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products of row-major blocks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilescope::compiler::interpreter {

struct ProductShape {
  size_t m = 0, n = 0, k = 0;
};

/// acc[m, n] += a[m, k] * b[k, n].
void multiplyAccumulate(float *acc, const float *a, const float *b, ProductShape shape);
void multiplyAccumulate(double *acc, const double *a, const double *b, ProductShape shape);
void multiplyAccumulate(int32_t *acc, const int8_t *a, const int8_t *b, ProductShape shape);
void multiplyAccumulate(int32_t *acc, const int16_t *a, const int16_t *b, ProductShape shape);
void multiplyAccumulate(int32_t *acc, const int32_t *a, const int32_t *b, ProductShape shape);

} // namespace tilescope::compiler::interpreter
