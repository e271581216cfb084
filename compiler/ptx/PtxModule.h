// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// One operand of a PTX instruction.
struct PtxOperand {
  enum class Kind { Register, Immediate, Address, Symbol, Vector, Label, Discard };
  Kind kind = Kind::Discard;
  /// Register: index into the thread's registers. Address: base register, or -1 for a symbol base.
  int32_t reg = -1;
  /// Immediate: bits (of the float for `0f…`/`0d…`). Address: byte offset.
  uint64_t bits = 0;
  bool negated = false;
  /// Symbol or label name; base symbol of an address.
  std::string name;
  /// Elements of a `{a, b}` vector, or the two halves of `dst|pred`.
  std::vector<PtxOperand> elements;
};

/// One instruction: `@!%p1 ld.global.v4.b32 {…}, [%rd1+16];`.
struct PtxInstruction {
  /// `ld`, `setp`, `mad` …
  std::string op;
  /// What follows the dots, in order: `global`, `v4`, `b32`.
  std::vector<std::string> modifiers;
  std::vector<PtxOperand> operands;
  /// Guard predicate register, -1 for none.
  int32_t guard = -1;
  bool guardNegated = false;
  /// Target of a branch, or entry of the function that is called: index of an instruction.
  int32_t target = -1;
  /// Line in the PTX text, from 1.
  int32_t line = 0;

  bool has(std::string_view modifier) const;
  /// The last modifier, the type of most instructions.
  std::string_view type() const {
    return modifiers.empty() ? std::string_view() : modifiers.back();
  }
};

struct PtxParameter {
  std::string name;
  int64_t sizeBytes = 0;
  int64_t offset = 0;
};

/// A kernel entry point.
struct PtxProgram {
  std::string name;
  std::vector<PtxParameter> parameters;
  int32_t threads = 0;
  /// Thread blocks of a cluster.
  int32_t blocks = 1;
  int32_t numRegisters = 0;
  int64_t localBytes = 0;
  /// Followed by the code of all functions.
  std::vector<PtxInstruction> code;
};

/// A function that kernels call. Parameters and results are variables of the space `param` that
/// the caller's are copied to and from.
struct PtxFunction {
  std::vector<PtxParameter> parameters, results;
  /// Index of its first instruction among those of all functions.
  int32_t entry = 0;
};

/// Variable in `.shared`, `.global`, `.const` or `.local` space.
struct PtxVariable {
  std::string space;
  int64_t sizeBytes = 0;
  /// Byte offset within its space.
  int64_t offset = 0;
  std::vector<uint8_t> data;
};

struct PtxModule {
  std::vector<PtxProgram> kernels;
  std::map<std::string, PtxVariable> variables;
  /// Those that have code, by name.
  std::map<std::string, PtxFunction> functions;
  /// Bytes of the variables that values are passed in; their offsets begin at `kPassedParameters`.
  int64_t passedBytes = 0;
  /// Non-empty when the text was not understood: `line: reason`.
  std::string error;
};

/// Name of the function that `call` calls.
std::string_view calledFunction(const PtxInstruction &call);

/// Offsets in the space `param` below this are the kernel's own parameters.
constexpr int64_t kPassedParameters = int64_t(1) << 20;

/// Reads the subset of PTX that a code generator emits. Functions do not call themselves: each has
/// one set of registers and variables.
PtxModule parsePtx(std::string_view text);

} // namespace tilescope::compiler
