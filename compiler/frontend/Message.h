// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The words of a failure, formatted from typed arguments. Types, shapes and values go in as what
// they are: the text shows them, and the diagnostic's cause keeps them for code that chooses other
// guesses.
//
//   fail(DiagnosticKind::TypeMismatch,
//        Message("`{}` of `{}`: a pointer is needed", name, type).needs(Need::Pointer));
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Value.h"

#include <concepts>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace tilescope::compiler::frontend {

class Message {
  template <typename> using Printed = std::string;

public:
  Message() = default;
  /// Words that show nothing typed.
  Message(std::string text) : m_text(std::move(text)) {}
  Message(const char *text) : m_text(text) {}
  /// `{}` stands for the next argument: a type, a shape, a value, a number or a word.
  template <typename... Args>
  requires(sizeof...(Args) > 0)
      Message(fmt::format_string<Printed<Args>...> format, const Args &...args) {
    const std::string texts[] = {print(args)...};
    fill(format, texts);
  }

  bool empty() const { return m_text.empty(); }
  Message needs(Need need) &&;
  /// Element types that would do, likelier than those that the words show.
  Message wants(llvm::ArrayRef<DType> types) &&;
  /// The variable that it is about.
  Message about(std::string_view subject) &&;
  /// Two numbers of elements that should be equal.
  Message totals(int64_t one, int64_t other) &&;
  /// Two extents that do not go together.
  Message extents(int64_t one, int64_t other) &&;

  /// Copies its words and their cause to a diagnostic.
  void writeTo(Diagnostic &diagnostic) &&;

private:
  std::string print(const Type &type);
  std::string print(const ScalarType &type);
  std::string print(DType type);
  std::string print(llvm::ArrayRef<int64_t> shape);
  std::string print(const Value &value);
  static std::string print(std::string_view words) { return std::string(words); }
  static std::string print(std::integral auto number) { return std::to_string(number); }
  void fill(fmt::string_view format, llvm::ArrayRef<std::string> texts);

  void mention(const ScalarType &type);
  void mention(llvm::ArrayRef<int64_t> shape);
  void mention(const Value &value);
  void mention(const constant::Value &value);

  std::string m_text;
  DiagnosticCause m_cause;
};

} // namespace tilescope::compiler::frontend
