// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the interpreter executes: a flat list of instructions over numbered values.
//
// Each value is a scalar or a block, and knows a short form of itself where there is one. Example,
// the lines
//
//   offs = pid * 1024 + tl.arange(0, 1024);  mask = offs < n;  x = tl.load(p + offs, mask=mask)
//
// compute with three numbers each: `offs` is Affine (2048 + 1*i in program 2), `mask` is a Box (i
// in [0, 952) when n is 3000), and the load copies 952 elements from one address. Only `x` is
// Dense, elements in memory. An instruction that has no rule for the forms of its operands makes
// them Dense first.
#pragma once

#include "compiler/interpreter/kernels/Element.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::compiler::interpreter {

/// Sorting reshapes blocks to as many dimensions as their size has bits.
inline constexpr int kMaxRank = 24;

/// Extents of a block; rank 0 is a scalar.
struct Shape {
  int rank = 0;
  std::array<int64_t, kMaxRank> extent{};
  int64_t count = 1;

  bool operator==(const Shape &) const = default;
};

enum class Form : uint8_t {
  /// Elements in `data`, row-major.
  Dense,
  /// All elements equal `scalar`. Scalars are always so.
  Uniform,
  /// Integers or pointers: base() + sum of step[d] * index[d]; none of them wraps.
  Affine,
  /// Truth values: true where lower[d] <= index[d] < upper[d] for all d. Never empty.
  Box,
};

/// The current contents of a value.
struct Slot {
  Form form = Form::Uniform;
  /// An Affine or Box value that also has its elements in `data`.
  bool isMaterialized = false;
  std::byte *data = nullptr;
  alignas(8) std::array<std::byte, 8> scalar{};
  std::array<int64_t, kMaxRank> step{};
  std::array<int64_t, kMaxRank> upper{};

  int64_t base() const { return get<int64_t>(); }
  void setBase(int64_t base) { set(base); }
  std::array<int64_t, kMaxRank> &lower() { return step; }
  const std::array<int64_t, kMaxRank> &lower() const { return step; }
  template <typename T> T get() const {
    T result;
    std::memcpy(&result, scalar.data(), sizeof(T));
    return result;
  }
  template <typename T> void set(T value) { std::memcpy(scalar.data(), &value, sizeof(T)); }
};

/// What is known about a value before the run.
struct ValueInfo {
  Element element{};
  Shape shape;
  /// Place of its elements in the frame's memory.
  size_t offset = 0;
};

class Frame;

/// One step. `run` reads the values `in`, writes the values from `out` on (numbered consecutively).
struct Instruction {
  using Run = void (*)(const Instruction &, Frame &);
  /// A function over arrays of elements; instructions that use one cast it to its type.
  using Function = void (*)();

  Run run = nullptr;
  Function function = nullptr;
  std::vector<uint32_t> in;
  uint32_t out = 0;
  uint32_t numOut = 0;
  /// Where jumps go.
  uint32_t target = 0;
  /// Numbers whose meaning depends on `run`.
  std::array<int64_t, 4> number{};
  std::vector<int64_t> numbers;
  std::string text;
  /// Index into Program::locations.
  uint32_t location = 0;
  /// Instructions of a region that combines or maps elements.
  std::shared_ptr<struct Program> region;
  /// What only `run` knows the type of.
  std::shared_ptr<const void> state;
};

/// Numbers of values that are read where an operand is absent.
inline constexpr uint32_t kNoValue = UINT32_MAX;

struct Program {
  std::vector<Instruction> code;
  std::vector<ValueInfo> values;
  /// Bytes that the elements of all values take.
  size_t memorySize = 0;
  /// Bytes of the buffers in shared memory.
  size_t sharedBytes = 0;
  /// Every value has a place of its own, so that it can be looked at until it is computed again.
  bool keepsValues = false;
  /// For a region: its arguments are the first values; these are returned. Lanes state the count of
  /// every value.
  std::vector<uint32_t> arguments;
  /// For a region: values of the program around it that its last arguments stand for.
  std::vector<uint32_t> captured;
  std::vector<uint32_t> results;
  /// A region without jumps may work on many elements at once.
  bool isStraightLine = true;
};

} // namespace tilescope::compiler::interpreter
