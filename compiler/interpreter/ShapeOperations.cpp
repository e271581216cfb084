// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that move elements about.
#include "compiler/interpreter/BySize.h"
#include "compiler/interpreter/Operations.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

using Extents = std::array<int64_t, kMaxRank>;

/// Row-major distances between elements.
static Extents rowMajorStrides(const Shape &shape) {
  Extents strides{};
  int64_t stride = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape.extent[d];
  }
  return strides;
}

/// out[i0, i1, …] = in[i0 * strides[0] + i1 * strides[1] + …], `out` row-major.
template <typename T>
static void copyStrided(T *&out, const T *in, const Shape &shape, const Extents &strides,
                        int dimension) {
  int64_t extent = shape.extent[dimension], stride = strides[dimension];
  if (dimension < shape.rank - 1) {
    for (int64_t i = 0; i < extent; ++i)
      copyStrided(out, in + i * stride, shape, strides, dimension + 1);
    return;
  }
  if (stride == 1)
    std::copy_n(in, extent, out);
  else if (stride == 0)
    std::fill_n(out, extent, *in);
  else
    for (int64_t i = 0; i < extent; ++i)
      out[i] = in[i * stride];
  out += extent;
}

/// The same copy with as few dimensions as possible: neighbors that advance as one become one.
static void mergeDimensions(Shape &shape, Extents &strides) {
  int rank = 0;
  for (int d = 0; d < shape.rank; ++d) {
    if (shape.extent[d] == 1)
      continue;
    if (rank > 0 && strides[rank - 1] == strides[d] * shape.extent[d]) {
      shape.extent[rank - 1] *= shape.extent[d];
      strides[rank - 1] = strides[d];
      continue;
    }
    shape.extent[rank] = shape.extent[d];
    strides[rank++] = strides[d];
  }
  if (rank == 0) {
    shape.extent[0] = 1;
    strides[rank++] = 1;
  }
  shape.rank = rank;
}

static void copyStrided(const Instruction &op, Frame &frame, Extents strides) {
  ValueInfo info = frame.info(op.out);
  mergeDimensions(info.shape, strides);
  bySize(storageSize(info.element), [&]<typename T>(T) {
    const T *in = frame.dense<T>(op.in[0]);
    T *out = frame.makeDense<T>(op.out);
    copyStrided(out, in, info.shape, strides, 0);
  });
}

static void copyDense(const Instruction &op, Frame &frame) {
  const std::byte *in = frame.dense(op.in[0]);
  std::memcpy(frame.makeDense(op.out), in,
              frame.count(op.out) * storageSize(frame.info(op.out).element));
}

static void copyUniform(const Instruction &op, Frame &frame) {
  auto scalar = frame.value(op.in[0]).scalar;
  frame.makeUniform(op.out).scalar = scalar;
}

/// The result as Affine or Box like the source, with dimensions still to be filled in.
static Slot &beginLike(const Slot &source, Slot &out) {
  out.form = source.form;
  out.isMaterialized = false;
  out.scalar = source.scalar;
  return out;
}

void runMakeRange(const Instruction &op, Frame &frame) {
  Slot &out = frame.value(op.out);
  out.form = Form::Affine;
  out.isMaterialized = false;
  out.setBase(op.number[0]);
  out.step = {1};
}

void runSplat(const Instruction &op, Frame &frame) { copyUniform(op, frame); }

void runExpandDims(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Uniform)
    return copyUniform(op, frame);
  if (source.form == Form::Dense)
    return copyDense(op, frame);
  Slot &out = beginLike(source, frame.value(op.out));
  int axis = static_cast<int>(op.number[0]), rank = frame.info(op.out).shape.rank;
  for (int d = 0, from = 0; d < rank; ++d) {
    bool isNew = d == axis;
    out.step[d] = isNew ? 0 : source.step[from];
    out.upper[d] = isNew ? 1 : source.upper[from];
    from += !isNew;
  }
}

void runBroadcast(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Uniform)
    return copyUniform(op, frame);
  const Shape &from = frame.info(op.in[0]).shape, &to = frame.info(op.out).shape;
  if (source.form == Form::Dense) {
    Extents strides = rowMajorStrides(from);
    for (int d = 0; d < from.rank; ++d)
      if (from.extent[d] == 1)
        strides[d] = 0;
    return copyStrided(op, frame, strides);
  }
  Slot &out = beginLike(source, frame.value(op.out));
  for (int d = 0; d < to.rank; ++d) {
    bool grows = from.extent[d] != to.extent[d];
    // A Box is never empty, so an extent of 1 is inside it.
    out.step[d] = grows ? 0 : source.step[d];
    out.upper[d] = grows ? to.extent[d] : source.upper[d];
  }
}

/// Steps of an Affine source of one dimension seen in another shape, or of shapes that differ in
/// extents of 1.
static bool reshapeAffine(const Slot &source, const Shape &from, const Shape &to, Extents &steps) {
  if (from.rank == 1) {
    Extents strides = rowMajorStrides(to);
    for (int d = 0; d < to.rank; ++d)
      steps[d] = strides[d] * source.step[0];
    return true;
  }
  int d = 0;
  for (int t = 0; t < to.rank; ++t) {
    if (to.extent[t] == 1) {
      steps[t] = 0;
      continue;
    }
    while (d < from.rank && from.extent[d] == 1)
      ++d;
    if (d == from.rank || from.extent[d] != to.extent[t])
      return false;
    steps[t] = source.step[d++];
  }
  return true;
}

void runReshape(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Uniform)
    return copyUniform(op, frame);
  Extents steps{};
  if (source.form == Form::Affine &&
      reshapeAffine(source, frame.info(op.in[0]).shape, frame.info(op.out).shape, steps)) {
    beginLike(source, frame.value(op.out)).step = steps;
    return;
  }
  copyDense(op, frame);
}

void runTrans(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Uniform)
    return copyUniform(op, frame);
  int rank = frame.info(op.out).shape.rank;
  if (source.form == Form::Dense) {
    Extents strides = rowMajorStrides(frame.info(op.in[0]).shape), permuted{};
    for (int d = 0; d < rank; ++d)
      permuted[d] = strides[op.numbers[d]];
    return copyStrided(op, frame, permuted);
  }
  Slot &out = beginLike(source, frame.value(op.out));
  for (int d = 0; d < rank; ++d) {
    out.step[d] = source.step[op.numbers[d]];
    out.upper[d] = source.upper[op.numbers[d]];
  }
}

void runUnsplat(const Instruction &op, Frame &frame) {
  size_t size = storageSize(frame.info(op.out).element);
  const std::byte *element = frame.dense(op.in[0]);
  std::memcpy(frame.makeUniform(op.out).scalar.data(), element, size);
}

void runJoin(const Instruction &op, Frame &frame) {
  bySize(storageSize(frame.info(op.out).element), [&]<typename T>(T) {
    const T *a = frame.dense<T>(op.in[0]), *b = frame.dense<T>(op.in[1]);
    T *out = frame.makeDense<T>(op.out);
    size_t count = frame.count(op.in[0]);
    for (size_t i = 0; i < count; ++i) {
      out[2 * i] = a[i];
      out[2 * i + 1] = b[i];
    }
  });
}

void runSplit(const Instruction &op, Frame &frame) {
  bySize(storageSize(frame.info(op.out).element), [&]<typename T>(T) {
    const T *in = frame.dense<T>(op.in[0]);
    if (frame.info(op.out).shape.rank == 0) {
      frame.makeUniform(op.out).set(in[0]);
      frame.makeUniform(op.out + 1).set(in[1]);
      return;
    }
    T *a = frame.makeDense<T>(op.out), *b = frame.makeDense<T>(op.out + 1);
    size_t count = frame.count(op.out);
    for (size_t i = 0; i < count; ++i) {
      a[i] = in[2 * i];
      b[i] = in[2 * i + 1];
    }
  });
}

void runCat(const Instruction &op, Frame &frame) {
  size_t bytes = frame.count(op.in[0]) * storageSize(frame.info(op.out).element);
  const std::byte *a = frame.dense(op.in[0]), *b = frame.dense(op.in[1]);
  std::byte *out = frame.makeDense(op.out);
  std::memcpy(out, a, bytes);
  std::memcpy(out + bytes, b, bytes);
}

/// The elements of an integer value, widened.
static std::vector<int64_t> readIntegers(Frame &frame, uint32_t id) {
  Element element = frame.info(id).element;
  const std::byte *data = frame.dense(id);
  std::vector<int64_t> values(frame.count(id));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = loadInteger(data + i * storageSize(element), element);
  return values;
}

void runGather(const Instruction &op, Frame &frame) {
  const Shape &from = frame.info(op.in[0]).shape, &to = frame.info(op.out).shape;
  int axis = static_cast<int>(op.number[0]);
  std::vector<int64_t> indices = readIntegers(frame, op.in[1]);
  int64_t inner = rowMajorStrides(to)[axis], fromExtent = from.extent[axis],
          toExtent = to.extent[axis];
  bySize(storageSize(frame.info(op.out).element), [&]<typename T>(T) {
    const T *in = frame.dense<T>(op.in[0]);
    T *out = frame.makeDense<T>(op.out);
    for (int64_t i = 0; i < to.count; ++i) {
      int64_t outer = i / (inner * toExtent), column = i % inner;
      // Indices outside the axis are undefined on the device; here the nearest one is taken.
      int64_t index = std::clamp<int64_t>(indices[i], 0, fromExtent - 1);
      out[i] = in[(outer * fromExtent + index) * inner + column];
    }
  });
}

void runHistogram(const Instruction &op, Frame &frame) {
  std::vector<int64_t> values = readIntegers(frame, op.in[0]);
  const uint8_t *mask = op.in[1] == kNoValue ? nullptr : frame.dense<uint8_t>(op.in[1]);
  std::vector<int64_t> bins(frame.count(op.out), 0);
  for (size_t i = 0; i < values.size(); ++i)
    if ((!mask || mask[i]) && values[i] >= 0 && values[i] < static_cast<int64_t>(bins.size()))
      ++bins[values[i]];
  Element element = frame.info(op.out).element;
  std::byte *out = frame.makeDense(op.out);
  for (size_t i = 0; i < bins.size(); ++i)
    storeInteger(out + i * storageSize(element), element, bins[i]);
}

} // namespace tilescope::compiler::interpreter
