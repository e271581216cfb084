// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ValueNames.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope::compiler {

using llvm::StringRef;

ValueNames::ValueNames(const std::string &text, const std::vector<SourceFile> &files)
    : m_files(files) {
  StringRef(text).split(m_lines, '\n');
}

/// A line of a text, without its end.
static StringRef lineAt(StringRef text, uint32_t line) {
  for (; line > 0 && !text.empty(); --line)
    text = text.split('\n').second;
  return text.split('\n').first;
}

std::string ValueNames::of(uint32_t stageLine, const SourceRange &range) const {
  std::string name = at(stageLine);
  if (name.empty() || range.empty() || range.begin.line != range.end.line ||
      range.file >= m_files.size())
    return name;
  const StringRef line = lineAt(m_files[range.file].text, range.begin.line);
  if (range.end.column > line.size())
    return name;
  const StringRef before = line.take_front(range.begin.column).trim();
  const StringRef after = line.drop_front(range.end.column).trim();
  const StringRef part = line.slice(range.begin.column, range.end.column);
  const bool isWhole = before.starts_with(name) && before.ends_with("=") &&
                       (after.empty() || after.starts_with("#"));
  // A statement has the name itself, and a text of several words is no name.
  constexpr size_t kLongest = 40;
  const bool isPart = !isWhole && before.contains('=') && !part.starts_with(name);
  if (!isPart)
    return name;
  return part.size() <= kLongest ? part.str() : part.take_front(kLongest - 1).str() + "…";
}

std::string ValueNames::at(uint32_t stageLine) const {
  if (stageLine >= m_lines.size())
    return "";
  StringRef line = m_lines[stageLine].ltrim();
  if (!line.consume_front("%"))
    return "";
  StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  const auto [stem, number] = name.rsplit('_');
  if (!stem.empty() && !number.empty() && llvm::all_of(number, llvm::isDigit))
    name = stem;
  return llvm::all_of(name, llvm::isDigit) ? "" : name.str();
}

} // namespace tilescope::compiler
