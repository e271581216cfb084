// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a user calls the instructions and values of a program: lines, functions, names.
#pragma once

#include "compiler/artifacts/StepState.h"
#include "compiler/interpreter/kernels/Element.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler::stepping {

/// Functions around an instruction, the innermost first, each with the place in it.
using PlaceStack = std::vector<StepFrame>;

struct ListedInstruction {
  /// Line of the stage's text; -1: none.
  int32_t stageLine = -1;
  /// Index of its stack.
  uint32_t stack = 0;
  /// A user can stop in front of it: it is the work of an operation.
  bool isStop = false;
  /// It is no operation of the text that the user sees: a binding, or what only bindings need.
  bool isHidden = false;
};

/// A variable that holds a value.
struct ListedName {
  std::string name;
  /// Of the functions around what computes the value, the one whose variable it is: an index of the
  /// stack.
  uint32_t frame = 0;
};

/// A parameter of a called function: a variable of the caller, or a constant.
struct ListedParameter {
  std::string name;
  std::string variable;
  std::string constant;
};

/// A buffer in shared memory, as it lies there from where its value says on.
struct ListedBuffer {
  interpreter::Element element{};
  std::vector<int64_t> shape;
  /// Bytes between neighbors along each dimension.
  std::vector<int64_t> strides;
  /// Memory of its own, and not a part of another buffer.
  bool isAllocation = false;

  int64_t numElements() const;
  /// From its first byte to behind its last.
  int64_t extentBytes() const;
};

struct ListedValue {
  /// In the IR, with `%`; empty: it only helps, and is not shown.
  std::string ssa;
  /// In the source; of an argument the first is its own. Empty: it has none.
  std::vector<ListedName> names;
  /// What computes it in the source, where it has no name.
  std::string text;
  std::string type;
  uint32_t stack = 0;
  /// Of the kernel: it is there from the beginning.
  bool isArgument = false;
  /// It is computed before all lines, wherever its own line is.
  bool isConstant = false;
  /// Of what addresses point to; 0: it is not an address.
  uint32_t pointeeBytes = 0;
  interpreter::Element pointee{};
  /// Its elements are unsigned integers in the source.
  bool isUnsigned = false;
  /// The same of what its addresses point to.
  bool isOfUnsigned = false;
  /// What a name was bound to, kept for as long as the name is: the newest one of a name is what the
  /// name means.
  bool isBinding = false;
  /// It is bound by a call.
  bool isParameter = false;
  /// Of a binding to a value that is not one of the IR; empty: its elements say what it is.
  std::string fixedText;
  /// Nothing: it is in registers.
  std::optional<ListedBuffer> buffer = {};
  int32_t stageLine = -1;
};

struct StepListing {
  StageId stage = StageId::Ttir;
  /// By instruction.
  std::vector<ListedInstruction> instructions;
  /// Every name gets its value by a binding: no other value has one, but arguments.
  bool hasBindings = false;
  /// By number of the value.
  std::vector<ListedValue> values;
  /// Without any place: the first.
  std::vector<PlaceStack> stacks{{}};
  /// Of each stack, and of each function in it that has a caller there.
  std::vector<std::vector<std::vector<ListedParameter>>> parameters{{}};
  /// Names of operations, by line of the stage.
  std::vector<std::string> operations;
  /// Where the functions of the document are; one inside of another comes behind it.
  std::vector<SourceRange> functions;
  /// Names with a value that was compiled in.
  std::vector<std::pair<std::string, std::string>> constants;

  const PlaceStack &stackOf(uint32_t instruction) const {
    return stacks[instructions[instruction].stack];
  }
  /// Of calls around an instruction.
  int32_t depthOf(uint32_t instruction) const {
    return static_cast<int32_t>(stackOf(instruction).size()) - 1;
  }
};

} // namespace tilescope::compiler::stepping
