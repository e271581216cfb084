// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NestingLimit.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tilescope::compiler {

namespace {

/// What the scan must know of a language.
struct Notation {
  std::string_view openers;
  std::string_view closers;
  std::string_view lineComment;
  /// Strings hold `\"`; in LLVM IR they do not.
  bool escapesQuotes;
  bool hasAliases;
};

constexpr Notation kMlir{"([{<", ")]}>", "//", true, true};
constexpr Notation kLlvm{"([{<", ")]}>", ";", false, false};
constexpr Notation kPtx{"([{", ")]}", "//", true, false};

constexpr std::string_view kBlanks = " \t\r\n";

/// What an alias stands for.
struct Alias {
  int depth = 0;
  uint64_t numParts = 1;
};

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || c == '-';
}

class NestingScan {
public:
  NestingScan(std::string_view text, const Notation &notation)
      : m_text(text), m_notation(notation) {}

  std::optional<NestingFault> run() {
    while (m_at < m_text.size() && !m_fault)
      step();
    return std::move(m_fault);
  }

private:
  void step() {
    const char c = m_text[m_at];
    if (m_text.substr(m_at).starts_with(m_notation.lineComment)) {
      m_at = std::min(m_text.find('\n', m_at), m_text.size());
    } else if (c == '"') {
      skipString();
    } else if (m_notation.hasAliases && (c == '#' || c == '!')) {
      takeAlias();
    } else if (isArrowOrComparison()) {
      m_at += 2;
    } else {
      if (c == '\n' && m_open.empty() && m_hasBody)
        endDefinition();
      m_hasBody |= kBlanks.find(c) == std::string_view::npos;
      takeBracket(c);
      ++m_at;
    }
  }

  void skipString() {
    m_hasBody = true;
    for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
      if (m_notation.escapesQuotes && m_text[m_at] == '\\')
        ++m_at;
    ++m_at;
  }

  /// `->`, `>=`, `<=`: no brackets.
  bool isArrowOrComparison() const {
    const std::string_view two = m_text.substr(m_at, 2);
    return two == "->" || two == ">=" || two == "<=";
  }

  void takeBracket(char c) {
    if (m_notation.openers.find(c) != std::string_view::npos) {
      m_open.push_back(c);
      ++m_current.numParts;
      reach(static_cast<int>(m_open.size()));
    } else if (const size_t kind = m_notation.closers.find(c); kind != std::string_view::npos) {
      close(m_notation.openers[kind]);
    }
  }

  /// A `<` may be no bracket at all: the one around it closes it. The parser reports closing
  /// brackets that were never opened.
  void close(char opener) {
    const auto match = std::ranges::find(m_open.rbegin(), m_open.rend(), opener);
    if (match != m_open.rend())
      m_open.erase(match.base() - 1, m_open.end());
  }

  void takeAlias() {
    const size_t begin = m_at++;
    while (m_at < m_text.size() && isNameCharacter(m_text[m_at]))
      ++m_at;
    const std::string_view name = m_text.substr(begin, m_at - begin);
    const size_t next = std::min(m_text.find_first_not_of(kBlanks, m_at), m_text.size());
    if (m_open.empty() && m_text.substr(next).starts_with('=')) {
      endDefinition();
      m_defined = name;
      m_at = next + 1;
      return;
    }
    m_hasBody = true;
    const auto known = m_aliases.find(name);
    if (known == m_aliases.end())
      return;
    uint64_t &numParts = m_defined.empty() ? m_numUsedParts : m_current.numParts;
    const uint64_t limit = m_defined.empty() ? kMaxUsedParts : kMaxAliasParts;
    numParts += known->second.numParts;
    if (numParts > limit)
      fail((m_defined.empty() ? "the text up to here" : "`" + std::string(m_defined) + "`") +
           " stands for more than " + std::to_string(limit) +
           " parts: the aliases in it repeat each other");
    reach(static_cast<int>(m_open.size()) + known->second.depth);
  }

  void endDefinition() {
    if (!m_defined.empty())
      m_aliases[m_defined] = m_current;
    m_defined = {};
    m_current = {};
    m_hasBody = false;
  }

  void reach(int depth) {
    m_current.depth = std::max(m_current.depth, depth);
    if (depth > kMaxNesting)
      fail("code is nested too deeply; the limit is " + std::to_string(kMaxNesting) + " levels");
  }

  void fail(std::string message) {
    if (m_fault)
      return;
    const std::string_view before = m_text.substr(0, m_at);
    const size_t line = before.rfind('\n');
    m_fault = NestingFault{{static_cast<uint32_t>(std::ranges::count(before, '\n')),
                            static_cast<uint32_t>(line == before.npos ? m_at : m_at - line - 1)},
                           std::move(message)};
  }

  std::string_view m_text;
  const Notation &m_notation;
  size_t m_at = 0;
  std::vector<char> m_open;
  std::unordered_map<std::string_view, Alias> m_aliases;
  /// The alias whose definition this is; empty elsewhere.
  std::string_view m_defined;
  Alias m_current;
  /// What aliases stand for outside definitions.
  uint64_t m_numUsedParts = 0;
  /// Whether anything of the definition has been seen: it ends with the line then.
  bool m_hasBody = false;
  std::optional<NestingFault> m_fault;
};

} // namespace

std::optional<NestingFault> findNestingFault(std::string_view text, StageId form) {
  const bool isMlir = form <= StageId::Ttgir || text.find("llvm.func") != text.npos;
  const Notation &notation = form == StageId::Ptx ? kPtx : isMlir ? kMlir : kLlvm;
  return NestingScan(text, notation).run();
}

} // namespace tilescope::compiler
