// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/GridLimit.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tilescope::compiler {

using llvm::StringRef;

/// The parts of an expression between separators that no parentheses enclose.
static llvm::SmallVector<StringRef> partsOf(StringRef text, StringRef separator) {
  llvm::SmallVector<StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text.substr(i).starts_with(separator)) {
      parts.push_back(text.slice(begin, i));
      begin = i + separator.size();
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

namespace {
class Grid {
public:
  Grid(SuggestedLaunch &launch, const std::map<std::string, std::string> &constexprs)
      : m_launch(launch), m_constexprs(constexprs) {}

  double numPrograms() const {
    double total = 1;
    for (const std::string &extent : m_launch.grid)
      total *= valueOf(extent);
    return total;
  }

  /// Whether so many programs are started for each of a size.
  bool counts(const std::string &size) const {
    return std::ranges::any_of(m_launch.grid, [&](const std::string &extent) {
      return llvm::is_contained(partsOf(extent, " * "), StringRef(size));
    });
  }

private:
  /// 1 for what is not known.
  double valueOf(StringRef text) const {
    double product = 1;
    for (StringRef factor : partsOf(text.trim(), " * "))
      product *= valueOfFactor(factor);
    return product;
  }

  double valueOfFactor(StringRef factor) const {
    if (StringRef inner = factor; inner.consume_front("cdiv(") && inner.consume_back(")")) {
      const llvm::SmallVector<StringRef> parts = partsOf(inner, ", ");
      return parts.size() == 2 ? std::ceil(valueOf(parts[0]) / valueOf(parts[1])) : 1;
    }
    int64_t number = 1;
    if (!factor.getAsInteger(10, number))
      return static_cast<double>(number);
    const auto size = std::ranges::find(m_launch.sizes, factor.str(), &SuggestedSize::name);
    if (size != m_launch.sizes.end())
      return static_cast<double>(size->value);
    const auto constant = m_constexprs.find(factor.str());
    const bool isKnown =
        constant != m_constexprs.end() && !StringRef(constant->second).getAsInteger(10, number);
    return static_cast<double>(isKnown ? number : 1);
  }

  SuggestedLaunch &m_launch;
  const std::map<std::string, std::string> &m_constexprs;
};
} // namespace

void limitPrograms(SuggestedLaunch &launch, const std::map<std::string, std::string> &constexprs,
                   const std::vector<SizeNeeds> &needs) {
  static constexpr int64_t kSmall[] = {16, 12, 8, 6};
  const Grid grid(launch, constexprs);
  size_t numSmall = 0;
  const auto mayShrink = [&](const SuggestedSize &size) {
    const auto known = std::ranges::find(needs, size.name, &SizeNeeds::name);
    return size.value > kSmall[0] && grid.counts(size.name) &&
           (known == needs.end() || (known->multipleOf == 1 && known->loopStep == 0));
  };
  while (grid.numPrograms() > kMostPrograms) {
    SuggestedSize *largest = nullptr;
    for (SuggestedSize &size : launch.sizes)
      if (mayShrink(size) && (!largest || size.value > largest->value))
        largest = &size;
    if (!largest)
      return;
    largest->value = kSmall[numSmall++ % std::size(kSmall)];
  }
}

} // namespace tilescope::compiler
