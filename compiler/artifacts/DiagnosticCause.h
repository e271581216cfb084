// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a diagnostic is about, beside its words. Whoever chooses something because of a diagnostic
// (another guess, a fix, the field that shows it) goes by this, so the words can change freely.
//
//   `reshape` cannot change the total number of elements: [64] has 64, [8, 16] has 128
//
//   need: Rank   shapes: [64], [8, 16]   totals: 64, 128
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// What would have to be there instead of what was found.
enum class Need : uint8_t {
  Nothing,
  /// A value for the argument `subject` of a launch.
  Argument,
  /// A block in place of a scalar.
  Block,
  /// A value of compile time.
  Constexpr,
  DType,
  /// A tensor descriptor.
  Descriptor,
  /// A value of compile time that is an extent of a block.
  Extent,
  /// A smaller block than the only one in `shapes`.
  FewerElements,
  /// Something that can be called.
  Function,
  /// The import of a module, or a member that a module lacks.
  Import,
  Pointer,
  /// A block of another rank or shape.
  Rank,
  /// The same element type in both factors of a product.
  SameDType,
  /// Something with items.
  Sequence,
  /// The constant 1 as a stride.
  UnitStride,
};

struct DiagnosticCause {
  Need need = Need::Nothing;
  /// The argument, parameter or variable that it is about; empty where it is about none.
  std::string subject = {};
  /// Element types that would do or were found, as signatures write them, likeliest first.
  std::vector<std::string> types = {};
  /// The shapes that were found.
  std::vector<std::vector<int64_t>> shapes = {};
  /// Two numbers of elements that should be equal; empty where it is not about such.
  std::vector<int64_t> totals = {};
  /// Two extents that do not go together; empty where it is not about such.
  std::vector<int64_t> extents = {};
  /// What the values that were found are.
  bool namesPointer = false;
  bool namesConstexpr = false;
  bool namesNone = false;
  /// Of a run that reads outside of an argument, of a race, or of an undefined value: those other
  /// arguments whose values depend on what is read there, on the order, or on the value.
  std::vector<std::string> outputs = {};
  /// Of a race: it is one of threads of the same program.
  bool isWithinProgram = false;
  /// Of a race: what `subject` holds in the end does not depend on it.
  bool sparesSubject = false;

  bool operator==(const DiagnosticCause &) const = default;
};

} // namespace tilescope::compiler
