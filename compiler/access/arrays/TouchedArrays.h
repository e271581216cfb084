// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A trace as arrays: which boxes of each argument a program touches, in which steps.
#pragma once

#include "compiler/access/arrays/ArrayShape.h"
#include "compiler/access/arrays/ProgramOrder.h"

#include <optional>
#include <span>

namespace tilescope::compiler::access {

/// Half-open.
struct StepRange {
  uint32_t first = 0, last = UINT32_MAX;
};

/// Elements from an address on, in directions whose strides are not negative, the largest
/// first.
struct TouchedElements {
  int64_t address = 0;
  std::vector<TouchDim> dims;
};
/// Those of a run in some steps; nothing: it has none there.
std::optional<TouchedElements> elementsOf(const TouchRun &run, const StepRange &steps);

/// What one access touches.
struct TouchedBox {
  ElementBox box;
  uint32_t access = 0;
  bool operator==(const TouchedBox &) const = default;
};

class TouchedArrays {
public:
  explicit TouchedArrays(TouchTrace trace);

  const TouchTrace &trace() const { return m_trace; }
  /// The arguments that are arrays and touched, in the order of the kernel's parameters.
  size_t numArrays() const { return m_arrays.size(); }
  const RecordedArgument &argument(size_t array) const;
  const ArrayShape &shape(size_t array) const { return m_arrays[array].shape; }
  bool isRead(size_t array) const { return m_arrays[array].isRead; }
  bool isWritten(size_t array) const { return m_arrays[array].isWritten; }
  /// Those by which programs touch an array.
  const std::vector<uint32_t> &accesses(size_t array) const { return m_arrays[array].accesses; }

  /// Whether it is among those that ran.
  bool has(uint64_t program) const;
  bool hasAll(const ProgramRange &programs) const;
  /// Steps of a program.
  uint32_t numSteps(uint64_t program) const;
  const TouchAccess &access(uint32_t access) const { return m_trace.accesses[access]; }

  /// What a program touches of an array in some steps; an element may be in several boxes.
  std::vector<TouchedBox> boxes(size_t array, uint64_t program, const StepRange &steps) const;
  /// The runs of an array, by program.
  struct ArrayRun {
    uint32_t program = 0;
    uint32_t run = 0;
  };
  std::span<const ArrayRun> runs(size_t array, const ProgramRange &programs) const;
  /// The same among the trace's whole blocks.
  std::span<const ArrayRun> blocks(size_t array, const ProgramRange &programs) const;
  /// The boxes of a run in some steps.
  std::vector<ElementBox> boxesOf(size_t array, const TouchRun &run, const StepRange &steps) const;

private:
  struct Array {
    /// In the trace.
    size_t argument = 0;
    ArrayShape shape;
    bool isRead = false, isWritten = false;
    std::vector<uint32_t> accesses;
    std::vector<ArrayRun> runs, blocks;
  };
  int64_t foldOf(const Array &array) const;

  TouchTrace m_trace;
  std::vector<Array> m_arrays;
};

} // namespace tilescope::compiler::access
