// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ValueNames.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope::compiler {

using llvm::StringRef;

ValueNames::ValueNames(const std::string &text) { StringRef(text).split(m_lines, '\n'); }

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
