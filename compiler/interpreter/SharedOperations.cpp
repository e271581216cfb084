// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Buffers in shared memory hold elements in the order of their shape, as blocks do: what a swizzle
// does to their places changes no value.
#include "compiler/interpreter/BySize.h"
#include "compiler/interpreter/Operations.h"

namespace tilescope::compiler::interpreter {
namespace {

enum Operand { kBuffer, kValue };

/// Calls move(place in the buffer, index of the element) for every element of a block.
template <typename Move>
void forEachPlace(const Shape &shape, const std::vector<int64_t> &strides, int64_t begin,
                  int dimension, int64_t &index, const Move &move) {
  if (dimension == shape.rank)
    return move(begin, index++);
  for (int64_t i = 0; i < shape.extent[dimension]; ++i)
    forEachPlace(shape, strides, begin + i * strides[dimension], dimension + 1, index, move);
}

} // namespace

void runBufferIndex(const Instruction &op, Frame &frame) {
  const uint32_t index = op.in[1];
  const int64_t at = loadInteger(frame.value(index).scalar.data(), frame.info(index).element);
  frame.makeUniform(op.out).setBase(frame.scalar<int64_t>(op.in[kBuffer]) + at * op.number[0]);
}

void runLocalLoad(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.out);
  const std::byte *buffer = frame.sharedMemory() + frame.scalar<int64_t>(op.in[kBuffer]);
  bySize(storageSize(info.element), [&]<typename T>(T) {
    T *out = frame.makeDense<T>(op.out);
    int64_t first = 0;
    forEachPlace(info.shape, op.numbers, 0, 0, first, [&](int64_t place, int64_t index) {
      std::memcpy(out + index, buffer + place, sizeof(T));
    });
  });
}

void runLocalStore(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.in[kValue]);
  std::byte *buffer = frame.sharedMemory() + frame.scalar<int64_t>(op.in[kBuffer]);
  bySize(storageSize(info.element), [&]<typename T>(T) {
    const T *in = frame.dense<T>(op.in[kValue]);
    int64_t first = 0;
    forEachPlace(info.shape, op.numbers, 0, 0, first, [&](int64_t place, int64_t index) {
      std::memcpy(buffer + place, in + index, sizeof(T));
    });
  });
}

} // namespace tilescope::compiler::interpreter
