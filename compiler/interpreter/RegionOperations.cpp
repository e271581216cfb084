// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations with a region: reductions, scans, maps.
//
// A region without jumps works on many elements at once. A reduction of 8 elements combines 4
// pairs, then 2, then 1:
//
//   a b c d e f g h  ->  ab cd ef gh  ->  abcd efgh  ->  abcdefgh
//
// which keeps the order of the elements, so that the combination need only be associative.
#include "compiler/interpreter/Axis.h"
#include "compiler/interpreter/BySize.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {
namespace {

using Bytes = std::vector<std::byte>;

/// The region of an operation with its arguments in place.
class Region {
public:
  Region(const Instruction &op, Frame &frame, size_t maxLanes)
      : m_program(*op.region), m_frame(frame.regionFrame(*op.region, maxLanes)), m_outer(frame) {
    size_t numCaptures = m_program.arguments.size() - m_program.captured.size();
    for (size_t i = 0; i < m_program.captured.size(); ++i)
      m_frame.makeUniform(m_program.arguments[numCaptures + i]).scalar =
          frame.value(m_program.captured[i]).scalar;
  }
  ~Region() { m_outer.executed += m_frame.executed - m_before; }

  bool isStraightLine() const { return m_program.isStraightLine; }
  size_t numResults() const { return m_program.results.size(); }

  /// Room for the elements of argument k.
  std::byte *argument(size_t k, size_t lanes) {
    uint32_t id = m_program.arguments[k];
    // A single element is a scalar, which jumps can look at.
    return lanes == 1 ? m_frame.makeUniform(id).scalar.data() : m_frame.makeDense(id);
  }
  void run(size_t lanes) { m_frame.run(lanes); }
  const std::byte *result(size_t k) { return m_frame.dense(m_program.results[k]); }

private:
  const Program &m_program;
  Frame &m_frame;
  Frame &m_outer;
  uint64_t m_before = m_frame.executed;
};

/// Copies the elements with axis index first, first + stride, … (`count` of them) to a block of its
/// own.
void copySlices(std::byte *out, const std::byte *in, const Axis &axis, size_t size, int64_t first,
                int64_t stride, int64_t count) {
  size_t bytes = static_cast<size_t>(axis.inner) * size;
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(out, in + static_cast<size_t>(outer * axis.extent + first + i * stride) * bytes,
                  bytes);
      out += bytes;
    }
}

/// The same for the innermost axis, where slices are single elements.
template <typename T>
void copyElements(T *out, const T *in, const Axis &axis, int64_t first, int64_t stride,
                  int64_t count) {
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    for (int64_t i = 0; i < count; ++i)
      *out++ = in[outer * axis.extent + first + i * stride];
}

void take(std::byte *out, const std::byte *in, const Axis &axis, size_t size, int64_t first,
          int64_t stride, int64_t count) {
  if (axis.inner > 1)
    return copySlices(out, in, axis, size, first, stride, count);
  bySize(size, [&]<typename T>(T) {
    copyElements(reinterpret_cast<T *>(out), reinterpret_cast<const T *>(in), axis, first, stride,
                 count);
  });
}

struct Source {
  size_t size;
  Bytes elements;
};

std::vector<Source> readSources(const Instruction &op, Frame &frame, size_t count) {
  std::vector<Source> sources(count);
  for (size_t s = 0; s < count; ++s) {
    uint32_t id = op.in[s];
    sources[s].size = storageSize(frame.info(id).element);
    const std::byte *data = frame.dense(id);
    sources[s].elements.assign(data, data + frame.count(id) * sources[s].size);
  }
  return sources;
}

void writeResult(Frame &frame, uint32_t id, const std::byte *data) {
  const ValueInfo &info = frame.info(id);
  size_t size = storageSize(info.element) * static_cast<size_t>(info.shape.count);
  std::memcpy(info.shape.rank == 0 ? frame.makeUniform(id).scalar.data() : frame.makeDense(id),
              data, size);
}

void reducePairs(Region &region, std::vector<Source> &sources, Axis axis) {
  size_t n = sources.size();
  while (axis.extent > 1) {
    int64_t half = axis.extent / 2;
    size_t lanes = static_cast<size_t>(axis.outer * half * axis.inner);
    for (size_t s = 0; s < n; ++s)
      for (int64_t side : {0, 1})
        take(region.argument(side * n + s, lanes), sources[s].elements.data(), axis,
             sources[s].size, side, 2, half);
    region.run(lanes);
    for (size_t s = 0; s < n; ++s)
      std::memcpy(sources[s].elements.data(), region.result(s), lanes * sources[s].size);
    axis.extent = half;
  }
}

/// Positions of elements: two that are combined, and that of the result.
struct Step {
  size_t left, right, result;
};

void combine(Region &region, std::vector<Source> &sources, const Step &step) {
  const size_t n = sources.size();
  const auto at = [&](size_t s, size_t position) {
    return sources[s].elements.data() + position * sources[s].size;
  };
  for (size_t s = 0; s < n; ++s) {
    std::memcpy(region.argument(s, 1), at(s, step.left), sources[s].size);
    std::memcpy(region.argument(n + s, 1), at(s, step.right), sources[s].size);
  }
  region.run(1);
  for (size_t s = 0; s < n; ++s)
    std::memcpy(at(s, step.result), region.result(s), sources[s].size);
}

/// Calls `step(first, before, here)` with the positions of the first element along the axis, and of
/// every other one with the one before it, in order.
template <typename F> void forEachStep(const Axis &axis, F &&step) {
  const auto position = [&](int64_t outer, int64_t i, int64_t inner) {
    return static_cast<size_t>((outer * axis.extent + i) * axis.inner + inner);
  };
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    for (int64_t inner = 0; inner < axis.inner; ++inner)
      for (int64_t i = 1; i < axis.extent; ++i)
        step(position(outer, 0, inner), position(outer, i - 1, inner), position(outer, i, inner));
}

/// Element after element, for regions with jumps.
void reduceInOrder(Region &region, std::vector<Source> &sources, const Axis &axis) {
  forEachStep(axis, [&](size_t first, size_t, size_t here) {
    combine(region, sources, {.left = first, .right = here, .result = first});
  });
  // The results lie apart; bring them together.
  for (Source &source : sources) {
    Bytes packed(static_cast<size_t>(axis.outer * axis.inner) * source.size);
    take(packed.data(), source.elements.data(), axis, source.size, 0, 1, 1);
    source.elements = std::move(packed);
  }
}

void flip(Source &source, const Axis &axis) {
  Bytes flipped(source.elements.size());
  take(flipped.data(), source.elements.data(), axis, source.size, axis.extent - 1, -1, axis.extent);
  source.elements = std::move(flipped);
}

/// Writes a block of slices back at axis indices first, first + 1, ….
void putSlices(Source &source, const Axis &axis, const std::byte *in, int64_t first,
               int64_t count) {
  size_t bytes = static_cast<size_t>(axis.inner * count) * source.size;
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    std::memcpy(source.elements.data() +
                    static_cast<size_t>((outer * axis.extent + first) * axis.inner) * source.size,
                in + static_cast<size_t>(outer) * bytes, bytes);
}

/// After the step with distance d every element combines the 2 d elements up to it.
void scanDoubling(Region &region, std::vector<Source> &sources, const Axis &axis) {
  size_t n = sources.size();
  for (int64_t distance = 1; distance < axis.extent; distance *= 2) {
    int64_t count = axis.extent - distance;
    size_t lanes = static_cast<size_t>(axis.outer * count * axis.inner);
    for (size_t s = 0; s < n; ++s) {
      take(region.argument(s, lanes), sources[s].elements.data(), axis, sources[s].size, 0, 1,
           count);
      take(region.argument(n + s, lanes), sources[s].elements.data(), axis, sources[s].size,
           distance, 1, count);
    }
    region.run(lanes);
    for (size_t s = 0; s < n; ++s)
      putSlices(sources[s], axis, region.result(s), distance, count);
  }
}

void scanInOrder(Region &region, std::vector<Source> &sources, const Axis &axis) {
  forEachStep(axis, [&](size_t, size_t before, size_t here) {
    combine(region, sources, {.left = before, .right = here, .result = here});
  });
}

} // namespace

void runReduce(const Instruction &op, Frame &frame) {
  size_t numSources = op.region->results.size();
  Axis axis = getAxis(frame.info(op.in[0]).shape, op.number[0]);
  std::vector<Source> sources = readSources(op, frame, numSources);
  Region region(
      op, frame,
      std::max<size_t>(static_cast<size_t>(axis.outer * axis.extent * axis.inner) / 2, 1));
  if (region.isStraightLine())
    reducePairs(region, sources, axis);
  else
    reduceInOrder(region, sources, axis);
  for (size_t s = 0; s < numSources; ++s)
    writeResult(frame, op.out + static_cast<uint32_t>(s), sources[s].elements.data());
}

// Commutative combinations that exist as one function: the two halves of the axis at a time.
void runSimpleReduce(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.in[0]);
  Axis axis = getAxis(info.shape, op.number[0]);
  size_t size = storageSize(info.element);
  auto combine = reinterpret_cast<ElementwiseFunction>(op.function);
  const std::byte *in = frame.dense(op.in[0]);
  bool isScalar = frame.info(op.out).shape.rank == 0;
  std::byte *out = isScalar ? frame.makeUniform(op.out).scalar.data() : frame.makeDense(op.out);
  size_t inner = static_cast<size_t>(axis.inner);
  Bytes buffer(static_cast<size_t>(axis.extent) * inner * size);
  for (int64_t outer = 0; outer < axis.outer; ++outer) {
    const std::byte *current = in + static_cast<size_t>(outer * axis.extent) * inner * size;
    std::byte *next = buffer.data();
    size_t half = static_cast<size_t>(axis.extent);
    while (half > 1) {
      half /= 2;
      const std::byte *halves[] = {current, current + half * inner * size};
      combine(next, halves, 3, half * inner);
      current = next;
      next += half * inner * size;
    }
    std::memcpy(out + static_cast<size_t>(outer) * inner * size, current, inner * size);
  }
}

void runScan(const Instruction &op, Frame &frame) {
  size_t numSources = op.region->results.size();
  Axis axis = getAxis(frame.info(op.in[0]).shape, op.number[0]);
  std::vector<Source> sources = readSources(op, frame, numSources);
  Region region(op, frame, static_cast<size_t>(axis.outer * axis.extent * axis.inner));
  for (Source &source : sources)
    if (op.number[1])
      flip(source, axis);
  if (region.isStraightLine())
    scanDoubling(region, sources, axis);
  else
    scanInOrder(region, sources, axis);
  for (size_t s = 0; s < numSources; ++s) {
    if (op.number[1])
      flip(sources[s], axis);
    writeResult(frame, op.out + static_cast<uint32_t>(s), sources[s].elements.data());
  }
}

// With pack p, argument s * p + j of the region is every p-th element of source s, beginning at j.
void runMap(const Instruction &op, Frame &frame) {
  size_t pack = static_cast<size_t>(op.number[0]), numSources = static_cast<size_t>(op.number[1]);
  size_t groups = frame.count(op.in[0]) / pack, numResults = op.region->results.size() / pack;
  std::vector<Source> sources = readSources(op, frame, numSources);
  Region region(op, frame, op.region->isStraightLine ? groups : 1);
  std::vector<std::byte *> out(numResults);
  for (size_t r = 0; r < numResults; ++r)
    out[r] = frame.makeDense(op.out + static_cast<uint32_t>(r));
  size_t lanes = region.isStraightLine() ? groups : 1;
  Axis packed{static_cast<int64_t>(lanes), static_cast<int64_t>(pack), 1};
  for (size_t group = 0; group < groups; group += lanes) {
    for (size_t s = 0; s < numSources; ++s)
      for (size_t j = 0; j < pack; ++j)
        take(region.argument(s * pack + j, lanes),
             sources[s].elements.data() + group * pack * sources[s].size, packed, sources[s].size,
             static_cast<int64_t>(j), 1, 1);
    region.run(lanes);
    for (size_t r = 0; r < numResults; ++r) {
      size_t size = storageSize(frame.info(op.out + static_cast<uint32_t>(r)).element);
      for (size_t j = 0; j < pack; ++j) {
        const std::byte *result = region.result(r * pack + j);
        for (size_t lane = 0; lane < lanes; ++lane)
          std::memcpy(out[r] + ((group + lane) * pack + j) * size, result + lane * size, size);
      }
    }
  }
}

} // namespace tilescope::compiler::interpreter
