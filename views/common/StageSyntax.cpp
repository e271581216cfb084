// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/StageSyntax.h"

#include <algorithm>
#include <array>

namespace tilescope::views {

using compiler::StageId;

TextLanguage stageLanguage(StageId stage) {
  switch (stage) {
  case StageId::Ast:
    return TextLanguage::Ast;
  case StageId::Ttir:
  case StageId::Ttgir:
  case StageId::CpuIr:
    return TextLanguage::Mlir;
  case StageId::LlvmIr:
    return TextLanguage::Llvm;
  case StageId::Assembly:
    return TextLanguage::Assembly;
  case StageId::Ptx:
    return TextLanguage::Ptx;
  case StageId::Sass:
    return TextLanguage::Sass;
  case StageId::Cubin:
    break;
  }
  return TextLanguage::Plain;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
static bool isWordStart(char c) { return isUpper(c) || (c >= 'a' && c <= 'z') || c == '_'; }
static bool isWord(char c) { return isWordStart(c) || isDigit(c); }

template <size_t N>
static bool oneOf(std::string_view word, const std::array<std::string_view, N> &words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

/// Walks over one line; every `color…` function consumes at least one byte.
class LineColorer {
public:
  LineColorer(TextLanguage language, std::string_view line) : m_language(language), m_line(line) {}

  std::vector<ColoredToken> run() {
    while (m_at < m_line.size())
      step();
    return std::move(m_tokens);
  }

private:
  char at(size_t offset) const {
    return m_at + offset < m_line.size() ? m_line[m_at + offset] : '\0';
  }
  bool startsWith(std::string_view text) const { return m_line.substr(m_at).starts_with(text); }

  void take(size_t length, ColorRole role) {
    length = std::min(length, m_line.size() - m_at);
    m_tokens.push_back({static_cast<uint32_t>(m_at), static_cast<uint32_t>(length), role});
    m_at += length;
  }

  template <typename Predicate> size_t extent(size_t from, Predicate predicate) const {
    size_t length = from;
    while (m_at + length < m_line.size() && predicate(m_line[m_at + length]))
      ++length;
    return length;
  }

  std::string_view commentMark() const {
    switch (m_language) {
    case TextLanguage::Llvm:
      return ";";
    case TextLanguage::Ast:
    case TextLanguage::Assembly:
      return "#";
    default:
      return "//";
    }
  }

  void step() {
    const char c = at(0);
    if (c == ' ' || c == '\t') {
      ++m_at;
    } else if (m_language == TextLanguage::Plain) {
      m_at = m_line.size();
    } else if (startsWith(commentMark())) {
      take(m_line.size(), ColorRole::Comment);
    } else if (startsWith("/*")) {
      const size_t end = m_line.find("*/", m_at);
      take(end == std::string_view::npos ? m_line.size() : end + 2 - m_at, ColorRole::Comment);
    } else if (c == '"' || (c == '\'' && m_language == TextLanguage::Ast)) {
      size_t length = 1;
      while (m_at + length < m_line.size() && m_line[m_at + length] != c)
        length += m_line[m_at + length] == '\\' ? 2 : 1;
      take(length + 1, ColorRole::String);
    } else {
      stepSymbol(c);
    }
  }

  /// Of assembly: `.LBB0_2`, where directives are in lower case.
  static bool isLocalLabel(std::string_view word) { return word.starts_with(".L"); }

  void stepSymbol(char c) {
    auto name = [](char x) { return isWord(x) || x == '.' || x == '$' || x == '-'; };
    auto ptxName = [](char x) { return isWord(x) || x == '.' || x == '$'; };
    const bool ptxLike = m_language == TextLanguage::Ptx || m_language == TextLanguage::Sass;
    if (c == '%' && (isWord(at(1)) || at(1) == '.')) {
      take(ptxLike ? extent(1, ptxName) : extent(1, name),
           ptxLike ? ColorRole::Register : ColorRole::Argument);
      return;
    }
    if (c == '@' && (isWordStart(at(1)) || at(1) == '!' || at(1) == '%' || at(1) == '"')) {
      if (ptxLike)
        take(extent(1, [](char x) { return isWord(x) || x == '!' || x == '%'; }), ColorRole::Label);
      else
        take(extent(1, name), ColorRole::Function);
      return;
    }
    if ((c == '#' || c == '!') && (isWord(at(1)) || at(1) == '{')) {
      const bool isType = c == '!' && m_language == TextLanguage::Mlir;
      take(at(1) == '{' ? 1 : extent(1, name), isType ? ColorRole::Type : ColorRole::Attribute);
      return;
    }
    if (c == '^' || (c == '$' && ptxLike)) {
      take(extent(1, ptxName), ColorRole::Label);
      return;
    }
    if (c == '.' && isWordStart(at(1)) &&
        (m_language == TextLanguage::Ptx || m_language == TextLanguage::Assembly)) {
      const size_t length = extent(1, isWord);
      take(length,
           isLocalLabel(m_line.substr(m_at, length)) ? ColorRole::Label : ColorRole::Keyword);
      return;
    }
    if (isDigit(c) || (c == '-' && isDigit(at(1)))) {
      stepNumber();
      return;
    }
    if (isWordStart(c)) {
      stepWord();
      return;
    }
    take(1, ColorRole::Operator);
  }

  void stepNumber() {
    // Shapes such as 128x64xf16 belong to a type.
    if (m_language == TextLanguage::Mlir) {
      const size_t length = extent(0, [](char x) { return isDigit(x) || x == 'x'; });
      if (m_line.substr(m_at, length).find('x') != std::string_view::npos && at(1) != 'x') {
        take(length, ColorRole::Type);
        return;
      }
    }
    const size_t length = extent(1, [](char x) { return isWord(x) || x == '.'; });
    take(length, ColorRole::Number);
  }

  void stepWord() {
    switch (m_language) {
    case TextLanguage::Mlir:
      return stepMlirWord();
    case TextLanguage::Llvm:
      return stepLlvmWord();
    case TextLanguage::Ptx:
    case TextLanguage::Sass:
    case TextLanguage::Assembly:
      return stepAssemblyWord();
    default:
      return stepAstWord();
    }
  }

  void stepMlirWord() {
    const size_t length = extent(1, [](char x) { return isWord(x) || x == '.'; });
    const std::string_view word = m_line.substr(m_at, length);
    static constexpr std::array<std::string_view, 6> kTypes{"tensor", "vector", "memref",
                                                            "index",  "none",   "array"};
    if (oneOf(word, kTypes) || isScalarType(word)) {
      take(length, ColorRole::Type);
    } else if (word == "loc") {
      take(length, ColorRole::Comment);
    } else if (word.find('.') != std::string_view::npos) {
      const std::string_view dialect = word.substr(0, word.find('.'));
      const bool block = dialect == "tt" || dialect == "ttg" || dialect == "ttng";
      take(length, block ? ColorRole::Language : ColorRole::Keyword);
    } else if (word == "true" || word == "false") {
      take(length, ColorRole::Number);
    } else if (word == "module" || word == "attributes" || word == "to" || word == "step" ||
               word == "iter_args" || word == "else" || word == "do" || word == "private" ||
               word == "public") {
      take(length, ColorRole::Keyword);
    } else {
      take(length, ColorRole::Attribute);
    }
  }

  static bool isScalarType(std::string_view word) {
    if (word.starts_with("bf") || word.starts_with("ui"))
      word.remove_prefix(1);
    if (word.size() < 2 || (word[0] != 'i' && word[0] != 'f') || !isDigit(word[1]))
      return false;
    return true;
  }

  void stepLlvmWord() {
    const size_t length = extent(1, [](char x) { return isWord(x) || x == '.'; });
    const std::string_view word = m_line.substr(m_at, length);
    static constexpr std::array<std::string_view, 8> kTypes{
        "ptr", "float", "double", "half", "bfloat", "void", "label", "metadata"};
    if (m_at == 0 && m_at + length < m_line.size() && m_line[m_at + length] == ':')
      take(length, ColorRole::Label);
    else if (oneOf(word, kTypes) || isScalarType(word))
      take(length, ColorRole::Type);
    else if (word == "true" || word == "false" || word == "null" || word == "poison" ||
             word == "undef" || word == "zeroinitializer")
      take(length, ColorRole::Number);
    else
      take(length, isFirstWord() ? ColorRole::Language : ColorRole::Keyword);
    m_sawWord = true;
  }

  /// The operation's name comes first on its line or right after `=`.
  bool isFirstWord() const {
    if (m_sawWord)
      return false;
    return true;
  }

  void stepAssemblyWord() {
    const size_t length = extent(1, [](char x) { return isWord(x) || x == '.'; });
    const std::string_view word = m_line.substr(m_at, length);
    if (m_at + length < m_line.size() && m_line[m_at + length] == ':' && !m_sawWord) {
      take(length, ColorRole::Label);
    } else if (m_language == TextLanguage::Sass && isSassRegister(word)) {
      take(length, ColorRole::Register);
    } else if (!m_sawWord) {
      take(length, ColorRole::Language);
      m_sawWord = true;
    } else {
      take(length, ColorRole::Attribute);
    }
  }

  static bool isSassRegister(std::string_view word) {
    if (word.starts_with("UR") || word.starts_with("UP"))
      word.remove_prefix(1);
    const std::string_view name = word.substr(0, word.find('.'));
    if (name == "RZ" || name == "PT" || name == "URZ")
      return true;
    return name.size() >= 2 && (name[0] == 'R' || name[0] == 'P') &&
           std::all_of(name.begin() + 1, name.end(), isDigit);
  }

  void stepAstWord() {
    const size_t length = extent(1, isWord);
    const std::string_view word = m_line.substr(m_at, length);
    const char next = m_at + length < m_line.size() ? m_line[m_at + length] : '\0';
    if (isUpper(word[0]))
      take(length, word == "True" || word == "False" || word == "None" ? ColorRole::Number
                                                                       : ColorRole::Function);
    else if (next == '=' || next == ':')
      take(length, ColorRole::Attribute);
    else
      take(length, ColorRole::Local);
  }

  TextLanguage m_language;
  std::string_view m_line;
  size_t m_at = 0;
  bool m_sawWord = false;
  std::vector<ColoredToken> m_tokens;
};

} // namespace

std::vector<ColoredToken> colorLine(TextLanguage language, std::string_view line) {
  return LineColorer(language, line).run();
}

} // namespace tilescope::views
