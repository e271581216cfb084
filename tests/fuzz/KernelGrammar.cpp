// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/fuzz/KernelGrammar.h"

#include "tests/fuzz/KernelWords.h"

#include <map>
#include <span>
#include <vector>

namespace tilescope::fuzz {

namespace {

using Words = std::vector<std::string_view>;

/// The texts of each kind: of lines that hold one, or several with two blanks between them.
std::map<char, Words> byKind(std::string_view lines) {
  std::map<char, Words> found;
  lines.remove_prefix(1);
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    for (std::string_view rest = lines.substr(2, end - 2); !rest.empty();) {
      const size_t blanks = rest.find("  ");
      found[lines.front()].push_back(rest.substr(0, blanks));
      rest.remove_prefix(blanks == std::string_view::npos ? rest.size() : blanks + 2);
    }
    lines.remove_prefix(end + 1);
  }
  return found;
}

class Grower {
public:
  Grower(const uint8_t *data, size_t size)
      : m_bytes(data, size), m_ends(byKind(kEnds)), m_productions(byKind(kProductions)) {}

  std::string file() {
    m_text = kPreamble;
    body(1, 2);
    line(1, "return " + expression('v', 2));
    m_text += expanded(kKernel, 0);
    body(1, 8);
    return std::move(m_text);
  }

private:
  uint8_t byte() {
    if (m_bytes.empty())
      return 0;
    const uint8_t value = m_bytes.front();
    m_bytes = m_bytes.subspan(1);
    return value;
  }
  size_t choose(size_t count) { return byte() % count; }

  std::string_view word(const Words &words) { return words[choose(words.size())]; }

  /// Of the kind, mostly: what the language must refuse is worth trying as well.
  std::string expression(char kind, int depth) {
    constexpr std::string_view kAny = "viwsnpqbdkamhct";
    if (kind == 'e' || choose(16) == 15)
      kind = kAny[choose(kAny.size())];
    const auto productions = m_productions.find(kind);
    const bool ends = depth <= 0 || m_bytes.empty() || productions == m_productions.end();
    return expanded(ends ? word(m_ends.at(kind)) : word(productions->second), depth - 1);
  }

  /// The text, with something grown for each `$` and letter. `$$` is one `$`.
  std::string expanded(std::string_view text, int depth) {
    std::string grown;
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '$') {
        grown += text[at];
        continue;
      }
      const char kind = text[++at];
      if (kind == '$')
        grown += '$';
      else if (kind == 'o')
        grown += word(m_ends.at('o'));
      else
        grown += expression(kind, choose(3) == 2 ? 0 : depth);
    }
    return grown;
  }

  void line(int level, const std::string &text) {
    m_text += std::string(4 * static_cast<size_t>(level), ' ') + text + "\n";
  }

  void body(int level, int limit) {
    const size_t count = 1 + choose(static_cast<size_t>(limit));
    for (size_t i = 0; i < count && m_text.size() < 20000; ++i)
      statement(level);
  }

  void statement(int level) {
    if (level > 4 || choose(4) != 3)
      return line(level, expanded(word(m_productions.at('L')), 3));
    const std::string head = expanded(word(m_productions.at('B')), 2);
    line(level, head);
    body(level + 1, 3);
    if (!head.starts_with("if") || choose(2) == 0)
      return;
    line(level, "else:");
    body(level + 1, 3);
  }

  std::span<const uint8_t> m_bytes;
  std::map<char, Words> m_ends, m_productions;
  std::string m_text;
};

} // namespace

std::string kernelFromBytes(const uint8_t *data, size_t size) { return Grower(data, size).file(); }

} // namespace tilescope::fuzz
