// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/MatrixProduct.h"

namespace tilescope::compiler::interpreter {
namespace {

/// Row by row of the result, four rows of b at a time, so that the result's row is read and written
/// less often.
template <typename C, typename A, typename W>
void product(C *acc, const A *a, const A *b, ProductShape shape) {
  for (size_t i = 0; i < shape.m; ++i) {
    C *__restrict row = acc + i * shape.n;
    size_t k = 0;
    for (; k + 4 <= shape.k; k += 4) {
      const W a0 = a[i * shape.k + k], a1 = a[i * shape.k + k + 1];
      const W a2 = a[i * shape.k + k + 2], a3 = a[i * shape.k + k + 3];
      const A *__restrict b0 = b + k * shape.n, *__restrict b1 = b0 + shape.n;
      const A *__restrict b2 = b1 + shape.n, *__restrict b3 = b2 + shape.n;
      for (size_t j = 0; j < shape.n; ++j)
        row[j] = static_cast<C>(static_cast<W>(row[j]) +
                                ((a0 * static_cast<W>(b0[j]) + a1 * static_cast<W>(b1[j])) +
                                 (a2 * static_cast<W>(b2[j]) + a3 * static_cast<W>(b3[j]))));
    }
    for (; k < shape.k; ++k) {
      const W ak = a[i * shape.k + k];
      const A *__restrict bk = b + k * shape.n;
      for (size_t j = 0; j < shape.n; ++j)
        row[j] = static_cast<C>(static_cast<W>(row[j]) + ak * static_cast<W>(bk[j]));
    }
  }
}

} // namespace

void multiplyAccumulate(float *acc, const float *a, const float *b, ProductShape shape) {
  product<float, float, float>(acc, a, b, shape);
}
void multiplyAccumulate(double *acc, const double *a, const double *b, ProductShape shape) {
  product<double, double, double>(acc, a, b, shape);
}
// Integers wrap.
void multiplyAccumulate(int32_t *acc, const int8_t *a, const int8_t *b, ProductShape shape) {
  product<int32_t, int8_t, uint32_t>(acc, a, b, shape);
}
void multiplyAccumulate(int32_t *acc, const int16_t *a, const int16_t *b, ProductShape shape) {
  product<int32_t, int16_t, uint32_t>(acc, a, b, shape);
}
void multiplyAccumulate(int32_t *acc, const int32_t *a, const int32_t *b, ProductShape shape) {
  product<int32_t, int32_t, uint32_t>(acc, a, b, shape);
}

} // namespace tilescope::compiler::interpreter
