// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/ScaledKind.h"
#include "compiler/interpreter/kernels/FloatFormats.h"
#include "compiler/interpreter/kernels/MatrixProduct.h"

#include <algorithm>
#include <limits>

namespace tilescope::compiler::interpreter {
namespace {

ProductShape getShape(const Shape &a, const Shape &result) {
  int rank = result.rank;
  return {static_cast<size_t>(result.extent[rank - 2]),
          static_cast<size_t>(result.extent[rank - 1]), static_cast<size_t>(a.extent[rank - 1])};
}

template <typename C, typename A>
void multiplyBatches(C *out, const A *a, const A *b, ProductShape shape, size_t batches) {
  for (size_t i = 0; i < batches; ++i)
    multiplyAccumulate(out + i * shape.m * shape.n, a + i * shape.m * shape.k,
                       b + i * shape.k * shape.n, shape);
}

template <Format F> void roundAll(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = roundTo<F>(values[i]);
}

/// The sums are `float`; the result may be narrower.
void roundResult(float *values, size_t count, Element element) {
  if (element == Element::F16)
    roundAll<kF16>(values, count);
  else if (element == Element::BF16)
    roundAll<kBF16>(values, count);
}

std::vector<float> roundedToTf32(const float *values, size_t count) {
  std::vector<float> result(values, values + count);
  for (float &value : result)
    value = truncateToTf32(value);
  return result;
}

} // namespace

void runDot(const Instruction &op, Frame &frame) {
  const ValueInfo &aInfo = frame.info(op.in[0]), &info = frame.info(op.out);
  ProductShape shape = getShape(aInfo.shape, info.shape);
  size_t batches = info.shape.rank == 3 ? static_cast<size_t>(info.shape.extent[0]) : 1,
         count = frame.count(op.out);
  const std::byte *a = frame.dense(op.in[0]), *b = frame.dense(op.in[1]),
                  *c = frame.dense(op.in[2]);
  std::byte *out = frame.makeDense(op.out);
  std::memcpy(out, c, count * storageSize(info.element));
  auto multiply = [&]<typename C, typename A>(C *result, const A *) {
    multiplyBatches(result, reinterpret_cast<const A *>(a), reinterpret_cast<const A *>(b), shape,
                    batches);
  };
  switch (aInfo.element) {
  case Element::I8:
    return multiply(reinterpret_cast<int32_t *>(out), static_cast<const int8_t *>(nullptr));
  case Element::I16:
    return multiply(reinterpret_cast<int32_t *>(out), static_cast<const int16_t *>(nullptr));
  case Element::I32:
    return multiply(reinterpret_cast<int32_t *>(out), static_cast<const int32_t *>(nullptr));
  case Element::F64:
    return multiply(reinterpret_cast<double *>(out), static_cast<const double *>(nullptr));
  default:
    break;
  }
  float *result = reinterpret_cast<float *>(out);
  if (op.number[0] && frame.execution().truncateToTf32 && aInfo.element == Element::F32) {
    std::vector<float> left =
        roundedToTf32(reinterpret_cast<const float *>(a), frame.count(op.in[0]));
    std::vector<float> right =
        roundedToTf32(reinterpret_cast<const float *>(b), frame.count(op.in[1]));
    multiplyBatches(result, left.data(), right.data(), shape, batches);
  } else {
    multiply(result, static_cast<const float *>(nullptr));
  }
  roundResult(result, count, info.element);
}

namespace {

/// Slot of a 4-bit float: sign, two bits of exponent, one of mantissa.
float decodeE2M1(uint8_t code) {
  constexpr float kValues[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  return code & 8 ? -kValues[code & 7] : kValues[code & 7];
}

/// A factor [batches, rows, columns] as floats; e2m1 comes two to a byte along one of the two
/// dimensions.
std::vector<float> readFactor(Frame &frame, uint32_t id, ScaledKind kind, bool packedInRows) {
  const ValueInfo &info = frame.info(id);
  size_t count = frame.count(id);
  if (kind != ScaledKind::E2M1) {
    if (info.element == Element::I8) {
      std::vector<float> values(count);
      const uint8_t *codes = frame.dense<uint8_t>(id);
      for (size_t i = 0; i < count; ++i)
        values[i] = kind == ScaledKind::E5M2 ? decodeF8E5M2(codes[i]) : decodeF8E4M3(codes[i]);
      return values;
    }
    const float *values = frame.dense<float>(id);
    return {values, values + count};
  }
  const uint8_t *bytes = frame.dense<uint8_t>(id);
  std::vector<float> values(2 * count);
  // Neighbors lie one element apart in a row, or one row apart in a column.
  size_t columns = packedInRows ? 1 : static_cast<size_t>(info.shape.extent[info.shape.rank - 1]);
  for (size_t i = 0; i < count; ++i) {
    size_t low = (i / columns) * 2 * columns + i % columns;
    values[low] = decodeE2M1(bytes[i] & 0xf);
    values[low + columns] = decodeE2M1(bytes[i] >> 4);
  }
  return values;
}

/// Scales [rows, K / run]: biased powers of two, or 8-bit floats.
std::vector<float> readScales(Frame &frame, uint32_t id) {
  size_t count = frame.count(id);
  if (frame.info(id).element != Element::I8) {
    const float *values = frame.dense<float>(id);
    return {values, values + count};
  }
  const uint8_t *codes = frame.dense<uint8_t>(id);
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = codes[i] == 0xff ? std::numeric_limits<float>::quiet_NaN()
                                 : std::ldexp(1.0f, codes[i] - 127);
  return values;
}

} // namespace

void runDotScaled(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.out);
  auto aKind = static_cast<ScaledKind>(op.numbers[0]),
       bKind = static_cast<ScaledKind>(op.numbers[1]);
  bool aPackedAlongK = op.numbers[2], bPackedAlongK = op.numbers[3];
  std::vector<float> a = readFactor(frame, op.in[0], aKind, aPackedAlongK);
  std::vector<float> b = readFactor(frame, op.in[1], bKind, !bPackedAlongK);
  ProductShape shape = getShape(frame.info(op.in[0]).shape, info.shape);
  size_t batches = info.shape.rank == 3 ? static_cast<size_t>(info.shape.extent[0]) : 1;
  shape.k = a.size() / (shape.m * batches);
  if (op.in[3] != kNoValue) {
    std::vector<float> scales = readScales(frame, op.in[3]);
    size_t run = a.size() / scales.size();
    for (size_t i = 0; i < a.size(); ++i)
      a[i] *= scales[i / run];
  }
  if (op.in[4] != kNoValue) {
    // One row of scales per column of b.
    std::vector<float> scales = readScales(frame, op.in[4]);
    size_t perColumn = scales.size() / (shape.n * batches), run = shape.k / perColumn;
    for (size_t i = 0; i < b.size(); ++i) {
      size_t column = i % shape.n, k = i / shape.n % shape.k, batch = i / (shape.n * shape.k);
      b[i] *= scales[(batch * shape.n + column) * perColumn + k / run];
    }
  }
  size_t count = frame.count(op.out);
  const float *c = frame.dense<float>(op.in[2]);
  float *out = frame.makeDense<float>(op.out);
  std::copy_n(c, count, out);
  multiplyBatches(out, a.data(), b.data(), shape, batches);
  roundResult(out, count, info.element);
}

} // namespace tilescope::compiler::interpreter
