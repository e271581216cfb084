// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/PythonScanner.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilescope::views {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<uint8_t>(c) >= 0x80;
}
static bool isName(char c) { return isNameStart(c) || isDigit(c); }

static constexpr std::array<std::string_view, 36> kKeywords{
    "False", "None",     "True", "and",    "as",     "assert", "async",  "await",   "break",
    "class", "continue", "def",  "del",    "elif",   "else",   "except", "finally", "for",
    "from",  "global",   "if",   "import", "in",     "is",     "lambda", "match",   "nonlocal",
    "not",   "or",       "pass", "raise",  "return", "try",    "while",  "with",    "yield"};
static constexpr std::array<std::string_view, 16> kBuiltins{
    "range", "len", "min",   "max",   "abs",        "int",  "float", "bool",
    "str",   "sum", "tuple", "print", "isinstance", "list", "zip",   "enumerate"};

template <size_t N>
static bool contains(const std::array<std::string_view, N> &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

/// First pass: tokens by form. Second pass: names by meaning.
class Scanner {
public:
  explicit Scanner(std::string_view text) : m_text(text) {}

  ScannedText run() {
    while (m_at < m_text.size())
      step();
    findAliases();
    findFunctions();
    classifyNames();
    std::sort(m_result.assignedNames.begin(), m_result.assignedNames.end());
    m_result.assignedNames.erase(
        std::unique(m_result.assignedNames.begin(), m_result.assignedNames.end()),
        m_result.assignedNames.end());
    return std::move(m_result);
  }

private:
  char at(size_t i) const { return i < m_text.size() ? m_text[i] : '\0'; }
  std::string_view spelling(const ScannedToken &token) const {
    return m_text.substr(token.begin, token.length);
  }
  void add(size_t begin, size_t end, TokenKind kind) {
    m_result.tokens.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin), kind});
  }

  void step() {
    const char c = m_text[m_at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++m_at;
    } else if (c == '#') {
      scanComment();
    } else if (const size_t quote = stringPrefix(); at(quote) == '"' || at(quote) == '\'') {
      scanString(quote);
    } else if (isNameStart(c)) {
      const size_t begin = m_at;
      while (isName(at(m_at)))
        ++m_at;
      const std::string_view word = m_text.substr(begin, m_at - begin);
      add(begin, m_at, contains(kKeywords, word) ? TokenKind::Keyword : TokenKind::Plain);
    } else if (isDigit(c) || (c == '.' && isDigit(at(m_at + 1)))) {
      scanNumber();
    } else {
      add(m_at, m_at + 1, TokenKind::Operator);
      ++m_at;
    }
  }

  /// Where the quote stands if a string starts here, after letters such as `rb`.
  size_t stringPrefix() const {
    size_t i = m_at;
    while (i < m_at + 2 && std::string_view("rRbBfFuU").find(at(i)) != std::string_view::npos &&
           at(i) != '\0')
      ++i;
    return i;
  }

  void scanString(size_t quoteAt) {
    const size_t begin = m_at;
    const char quote = m_text[quoteAt];
    const bool triple = at(quoteAt + 1) == quote && at(quoteAt + 2) == quote;
    m_at = quoteAt + (triple ? 3 : 1);
    while (m_at < m_text.size()) {
      if (m_text[m_at] == '\\') {
        m_at += 2;
      } else if (!triple && (m_text[m_at] == quote || m_text[m_at] == '\n')) {
        m_at += m_text[m_at] == quote;
        break;
      } else if (triple && m_text.substr(m_at, 3) == std::string(3, quote)) {
        m_at += 3;
        break;
      } else {
        ++m_at;
      }
    }
    m_at = std::min(m_at, m_text.size());
    add(begin, m_at, TokenKind::String);
  }

  void scanNumber() {
    const size_t begin = m_at;
    const bool prefixed = m_text[m_at] == '0' && isNameStart(at(m_at + 1));
    while (isName(at(m_at)) || at(m_at) == '.' ||
           (!prefixed && (at(m_at) == '+' || at(m_at) == '-') &&
            (at(m_at - 1) == 'e' || at(m_at - 1) == 'E')))
      ++m_at;
    add(begin, m_at, TokenKind::Number);
  }

  void scanComment() {
    const size_t begin = m_at;
    const size_t end = std::min(m_text.find('\n', m_at), m_text.size());
    const std::string_view line = m_text.substr(begin, end - begin);
    m_at = end;
    if (line.starts_with("# ///")) {
      m_inBlock = !m_inBlock && line.find("tilescope") != std::string_view::npos;
      add(begin, end, TokenKind::BlockComment);
    } else if (m_inBlock) {
      scanBlockLine(begin, line);
    } else {
      add(begin, end, TokenKind::Comment);
    }
  }

  /// `# key = value` or `# [section]`.
  void scanBlockLine(size_t begin, std::string_view line) {
    add(begin, begin + 1, TokenKind::BlockComment);
    const size_t first = line.find_first_not_of("# \t");
    if (first == std::string_view::npos)
      return;
    const size_t equals = line.find('=');
    if (line[first] == '[' && equals == std::string_view::npos) {
      add(begin + first, begin + line.size(), TokenKind::Decorator);
      return;
    }
    const size_t keyEnd = std::min(equals, line.size());
    add(begin + first, begin + keyEnd, TokenKind::BlockKey);
    if (equals == std::string_view::npos)
      return;
    add(begin + equals, begin + equals + 1, TokenKind::BlockComment);
    const size_t value = line.find_first_not_of(" \t", equals + 1);
    if (value != std::string_view::npos)
      add(begin + value, begin + line.size(), TokenKind::BlockValue);
  }

  /// `import triton.language as tl`, `from triton import language as tl`.
  void findAliases() {
    auto &aliases = m_result.languageAliases;
    const auto &tokens = m_result.tokens;
    for (size_t i = 0; i + 1 < tokens.size(); ++i)
      if (spelling(tokens[i]) == "as" && i > 0 && spelling(tokens[i - 1]) == "language")
        aliases.emplace_back(spelling(tokens[i + 1]));
    if (aliases.empty())
      aliases.emplace_back("tl");
  }

  uint32_t column(uint32_t offset) const {
    const size_t feed = m_text.rfind('\n', offset == 0 ? 0 : offset - 1);
    return offset -
           static_cast<uint32_t>(feed == std::string_view::npos || offset == 0 ? 0 : feed + 1);
  }

  bool startsLine(size_t index) const {
    const auto &tokens = m_result.tokens;
    if (index == 0)
      return true;
    const uint32_t from = tokens[index - 1].end();
    return m_text.substr(from, tokens[index].begin - from).find('\n') != std::string_view::npos;
  }

  void findFunctions() {
    auto &tokens = m_result.tokens;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i].kind == TokenKind::Operator && spelling(tokens[i]) == "@" && startsLine(i))
        markDecorator(i);
      if (tokens[i].kind != TokenKind::Keyword || spelling(tokens[i]) != "def")
        continue;
      ScannedFunction function;
      function.begin = tokens[i].begin;
      function.nameOffset = tokens[i + 1].begin;
      function.name = spelling(tokens[i + 1]);
      function.isKernel = m_pendingJit;
      m_pendingJit = false;
      tokens[i + 1].kind = TokenKind::FunctionName;
      const size_t afterHeader = readParameters(i + 2, function);
      function.end = bodyEnd(afterHeader, column(function.begin));
      m_result.functions.push_back(std::move(function));
    }
  }

  void markDecorator(size_t index) {
    auto &tokens = m_result.tokens;
    size_t i = index;
    do {
      if (spelling(tokens[i]) == "jit")
        m_pendingJit = true;
      tokens[i].kind = TokenKind::Decorator;
      ++i;
    } while (i < tokens.size() && !startsLine(i) && spelling(tokens[i]) != "(");
  }

  /// Reads `(a, b: tl.constexpr = 4, *c)` and gives the index of the token after the colon.
  size_t readParameters(size_t index, ScannedFunction &function) const {
    const auto &tokens = m_result.tokens;
    int depth = 0;
    bool expectName = true;
    for (; index < tokens.size(); ++index) {
      const std::string_view word = spelling(tokens[index]);
      if (word == "(" || word == "[" || word == "{") {
        ++depth;
      } else if (word == ")" || word == "]" || word == "}") {
        --depth;
      } else if (word == ":" && depth == 0) {
        return index + 1;
      } else if (word == "," && depth == 1) {
        expectName = true;
      } else if (depth == 1 && expectName && isNameStart(word[0])) {
        function.parameters.push_back({std::string(word), false});
        expectName = false;
      } else if (word == "constexpr" && !function.parameters.empty()) {
        function.parameters.back().isConstexpr = true;
      } else if (tokens[index].kind == TokenKind::Keyword && startsLine(index) && word == "def") {
        return index;
      }
    }
    return index;
  }

  uint32_t bodyEnd(size_t index, uint32_t indent) const {
    const auto &tokens = m_result.tokens;
    for (size_t i = index; i < tokens.size(); ++i)
      if (startsLine(i) && tokens[i].kind != TokenKind::Comment &&
          column(tokens[i].begin) <= indent && spelling(tokens[i]) != ")")
        return tokens[i].begin;
    return static_cast<uint32_t>(m_text.size());
  }

  void classifyNames() {
    auto &tokens = m_result.tokens;
    for (size_t i = 0; i < tokens.size(); ++i) {
      ScannedToken &token = tokens[i];
      if (token.kind != TokenKind::Plain)
        continue;
      const std::string_view word = spelling(token);
      const std::string_view before = i > 0 ? spelling(tokens[i - 1]) : std::string_view();
      if (before == ".") {
        if (i >= 2 && tokens[i - 2].kind == TokenKind::LanguageName)
          token.kind = TokenKind::LanguageName;
        continue;
      }
      token.kind = classify(word, token.begin);
      const std::string_view after = i + 1 < tokens.size() ? spelling(tokens[i + 1]) : "";
      const std::string_view after2 = i + 2 < tokens.size() ? spelling(tokens[i + 2]) : "";
      const bool assigns = (after == "=" && after2 != "=" && startsStatement(i)) || before == "for";
      if (assigns)
        m_result.assignedNames.emplace_back(word);
    }
  }

  /// Not a keyword argument: nothing is open around it on its line.
  bool startsStatement(size_t index) const {
    return startsLine(index) || spelling(m_result.tokens[index - 1]) == ",";
  }

  TokenKind classify(std::string_view word, uint32_t offset) const {
    const auto &aliases = m_result.languageAliases;
    if (word == "triton" || std::find(aliases.begin(), aliases.end(), word) != aliases.end())
      return TokenKind::LanguageName;
    for (auto function = m_result.functions.rbegin(); function != m_result.functions.rend();
         ++function) {
      if (offset < function->begin || offset >= function->end)
        continue;
      for (const ScannedParameter &parameter : function->parameters)
        if (parameter.name == word)
          return parameter.isConstexpr ? TokenKind::Constexpr : TokenKind::Argument;
    }
    return contains(kBuiltins, word) ? TokenKind::Builtin : TokenKind::Local;
  }

  std::string_view m_text;
  size_t m_at = 0;
  bool m_inBlock = false;
  bool m_pendingJit = false;
  ScannedText m_result;
};

} // namespace

ScannedText scanPython(std::string_view text) { return Scanner(text).run(); }

const ScannedFunction *functionAt(const ScannedText &scanned, uint32_t offset) {
  const ScannedFunction *best = nullptr;
  for (const ScannedFunction &function : scanned.functions)
    if (function.begin <= offset && offset <= function.end &&
        (!best || function.begin > best->begin))
      best = &function;
  return best;
}

} // namespace tilescope::views
