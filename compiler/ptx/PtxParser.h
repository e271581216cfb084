// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/ptx/PtxModule.h"
#include "compiler/ptx/PtxTokens.h"

#include <optional>
#include <utility>

namespace tilescope::compiler {

/// Reads a module: its entries, functions and variables (PtxParser.cpp), and the code of bodies
/// (PtxBody.cpp). After the first error it reads nothing more.
class PtxParser {
public:
  explicit PtxParser(std::string_view text) : m_tokens(ptxTokens(text)) {}

  PtxModule run();

private:
  /// Beyond what any GPU has; sums and products of these stay far from overflow.
  static constexpr int64_t kMaxBytes = int64_t{1} << 30;

  bool atEnd() const { return m_next >= m_tokens.size(); }
  std::string_view peek() const { return atEnd() ? std::string_view() : m_tokens[m_next].text; }
  std::string_view take() { return atEnd() ? std::string_view() : m_tokens[m_next++].text; }
  bool accept(std::string_view text);
  void skipPast(std::string_view text);
  void fail(const std::string &reason);
  void parseTopLevel();
  /// `(.param .b64 a, .param .u64 .ptr .global .align 1 b, .param .align 8 .b8 c[16])`, or nothing.
  std::vector<PtxParameter> parseParameters(int64_t &offset);
  /// `.func (results) name(parameters) { code }`. Declarations have no code: of functions that come
  /// later, and of vprintf and __assertfail, which are the emulator's.
  void parseFunction();
  std::vector<PtxParameter> parsePassed();
  /// `.param .align 8 .b8 param0[16];` in a body: where the caller puts a value.
  void parsePassedVariable();
  /// Reads a body up to its closing brace and appends its instructions to `code`.
  void parseCode(std::vector<PtxInstruction> &code);
  /// Every kernel's code is followed by that of the functions.
  void linkFunctions();
  void parseVariable(std::string_view space, std::map<std::string, PtxVariable> &variables);
  /// Numbers with commas between them, multiplied.
  int32_t takeProduct(int64_t most);
  void parseEntry();
  void parseBody();
  bool isLabel() const;
  /// `.reg .b32 %r<12>;` or, in inline assembly, `.reg .pred p, q;`.
  void parseRegisters();
  std::optional<int32_t> findRegister(std::string_view name) const;
  void parseInstruction();
  static void appendPart(PtxInstruction &instruction, std::string part);
  PtxOperand parseOperand(const PtxInstruction &instruction, int depth = 0);
  /// `base`: index of the body's first instruction.
  void resolveLabels(int32_t base);

  std::vector<PtxToken> m_tokens;
  size_t m_next = 0;
  PtxModule m_module;
  /// Of the body that is being read.
  std::vector<PtxInstruction> m_code;
  std::vector<PtxInstruction> m_functionCode;
  /// By the number of the scope that they are in, and the name.
  std::map<std::pair<int32_t, std::string>, int32_t> m_labels;
  /// Indices of branches, each with the numbers of the scopes around it.
  std::vector<std::pair<size_t, std::vector<int32_t>>> m_branches;
  std::vector<std::map<std::string, int32_t>> m_scopes;
  std::vector<int32_t> m_path;
  int32_t m_numScopes = 0;
  /// Where values are passed, by name; of the body that is being read.
  std::map<std::string, int64_t> m_passed;
  int64_t m_passedEnd = kPassedParameters;
  int32_t m_nextRegister = 0;
  std::map<std::string, int64_t> m_spaceBytes;
};

} // namespace tilescope::compiler
