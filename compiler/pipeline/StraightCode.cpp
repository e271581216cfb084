// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StraightCode.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <ranges>
#include <unordered_set>

namespace tilescope::compiler {

/// The trimmed lines of `ptx`.
static auto linesOf(std::string_view ptx) {
  return ptx | std::views::split('\n') | std::views::transform([](auto line) {
           std::string_view text(line.begin(), line.end());
           text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
           return text;
         });
}

bool isStraight(std::string_view ptx) {
  if (ptx.find("bar.sync") != std::string_view::npos)
    return false;
  std::unordered_set<std::string_view> labels;
  for (std::string_view line : linesOf(ptx)) {
    if (line.starts_with('$')) {
      labels.insert(line.substr(0, line.find(':')));
    } else if (const size_t branch = line.find("bra"); branch != std::string_view::npos) {
      const size_t at = line.find('$', branch);
      if (at != std::string_view::npos && labels.contains(line.substr(at, line.find(';') - at)))
        return false;
    }
  }
  return true;
}

/// `mul.wide.u32` of `@%p1 mul.wide.u32 %rd1, …`; empty for what is not executed.
static std::string_view mnemonicOf(std::string_view line) {
  if (line.starts_with('@'))
    line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
  const bool isInstruction = !line.empty() && line.front() >= 'a' && line.front() <= 'z';
  return isInstruction ? line.substr(0, line.find_first_of(" \t;")) : std::string_view();
}

static bool has(std::string_view mnemonic, std::string_view modifier) {
  return std::ranges::any_of(mnemonic | std::views::split('.'), [&](auto part) {
    return std::string_view(part.begin(), part.end()) == modifier;
  });
}

static int numberAfter(std::string_view text, size_t at) {
  int number = 0;
  if (at < text.size())
    std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

/// `ld.global.v4.b32`: 16; 0 for what does not access global memory.
static int bytesOf(std::string_view mnemonic) {
  const bool isAccess = mnemonic.starts_with("ld.") || mnemonic.starts_with("st.");
  if (!isAccess || !has(mnemonic, "global"))
    return 0;
  int elements = 1;
  for (int size : {2, 4, 8})
    if (has(mnemonic, "v" + std::to_string(size)))
      elements = size;
  // `.b32`, `.u8`, `.f64`: a letter and a width.
  return elements * numberAfter(mnemonic, mnemonic.rfind('.') + 2) / 8;
}

/// Of what a thread computes; where its parameters come from costs next to nothing.
static int issuesOf(std::string_view mnemonic) {
  if (mnemonic.empty() || mnemonic.starts_with("ld.param") || mnemonic.starts_with("cvta") ||
      mnemonic.starts_with("mov") || mnemonic.starts_with("ret"))
    return 0;
  const bool isProduct = mnemonic.starts_with("mul.") || mnemonic.starts_with("mad.");
  const bool isInteger = has(mnemonic, "lo") || has(mnemonic, "hi") || has(mnemonic, "wide");
  return isProduct && isInteger ? 2 : 1;
}

double issuesPerByte(std::string_view ptx) {
  double issues = 0;
  double bytes = 0;
  for (std::string_view line : linesOf(ptx)) {
    const std::string_view mnemonic = mnemonicOf(line);
    issues += issuesOf(mnemonic);
    bytes += bytesOf(mnemonic);
  }
  return bytes > 0 ? issues / bytes : std::numeric_limits<double>::infinity();
}

} // namespace tilescope::compiler
