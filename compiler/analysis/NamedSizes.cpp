// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/NamedSizes.h"

#include "compiler/analysis/LaunchExpressions.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

SizeNeeds &NamedSizes::size(const std::string &name) {
  const auto found = std::ranges::find(m_sizes, name, &SizeNeeds::name);
  if (found != m_sizes.end())
    return *found;
  m_sizes.push_back({.name = name});
  return m_sizes.back();
}

std::string NamedSizes::sizeOf(unsigned argument) {
  if (const LinearEnd *sum = m_bounds.sumOf(argument))
    return textOf(*sum);
  if (!IndexBounds::isArgument(argument))
    return {};
  const std::string &name = nameOf(argument);
  m_launch.integers[name] = name;
  return size(name).name;
}

std::vector<std::string> NamedSizes::sizesOf(const std::vector<unsigned> &arguments) {
  std::vector<std::string> names;
  for (const unsigned argument : arguments)
    names.push_back(sizeOf(argument));
  return names;
}

void NamedSizes::shareOut(unsigned argument, int64_t side) {
  SizeNeeds &shared = size(sizeOf(argument));
  if (side > 1)
    shared.loopStep = std::max(shared.loopStep, side);
}

void NamedSizes::shareOut(const LinearEnd &sum, int64_t side) {
  for (const auto &[argument, factor] : sum.factors)
    if (factor == 1)
      shareOut(argument, side);
  for (const EndQuotient &quotient : sum.quotients)
    shareOut(quotient.dividend, side);
}

void NamedSizes::endProductIn(const std::vector<unsigned> &factors, int64_t block) {
  // The largest of a few.
  static constexpr int64_t kFew = 9;
  for (size_t i = 1; i < factors.size(); ++i)
    block /= kFew;
  if (factors.empty() || block < 2)
    return;
  size(sizeOf(factors.front())).endIn(block);
  for (const unsigned factor : llvm::drop_begin(factors))
    size(sizeOf(factor)).isFew = true;
}

void NamedSizes::noteParts(const EndQuotient &quotient) {
  static constexpr int64_t kAlignment = 16;
  const std::optional<unsigned> whole = quotient.dividend.argument();
  const int64_t length = quotient.divisor.constant;
  const bool isRoundedDown =
      whole && quotient.dividend.constant == 0 && quotient.divisor.factors.empty() && length > 0;
  if (!isRoundedDown || kAlignment % length == 0)
    return;
  SizeNeeds &needs = size(sizeOf(*whole));
  needs.multipleOf = std::max(needs.multipleOf, length);
}

void NamedSizes::noteQuotient(const EndQuotient &quotient) {
  const std::optional<unsigned> divisor = quotient.divisor.argument();
  if (!divisor)
    return noteParts(quotient);
  size(sizeOf(*divisor)).isFew = true;
  const std::map<unsigned, int64_t> &factors = quotient.dividend.factors;
  const auto whole = std::ranges::find_if(
      factors, [&](const auto &entry) { return entry.second == 1 && entry.first != *divisor; });
  if (whole == factors.end())
    return;
  std::map<std::string, int64_t> others;
  for (const auto &[argument, factor] : factors)
    if (argument != whole->first)
      others[sizeOf(argument)] = factor;
  SizeNeeds &divided = size(sizeOf(whole->first));
  divided.divisor = nameOf(*divisor);
  divided.dividend = std::move(others);
  divided.addend = quotient.dividend.constant;
}

std::string NamedSizes::textOf(const LinearEnd &sum) {
  for (const EndQuotient &quotient : sum.quotients)
    noteQuotient(quotient);
  const bool isPadded = sum.constant > 0 && sum.quotients.empty() && !sum.factors.empty();
  if (isPadded) {
    LinearEnd whole = sum;
    whole.constant = 0;
    return paddedBy(textOf(whole), sum.constant, m_constexprs);
  }
  return sum.text([this](unsigned argument) { return sizeOf(argument); },
                  [this](int64_t divisor) { return namedExtent(divisor, m_constexprs); });
}

bool NamedSizes::isTaken(const std::string &name) const {
  return std::ranges::find(m_sizes, name, &SizeNeeds::name) != m_sizes.end() ||
         m_constexprs.contains(name) ||
         std::ranges::find(m_parameters, name, &KernelParameter::name) != m_parameters.end();
}

std::string NamedSizes::freshName(std::initializer_list<const char *> names) const {
  for (const char *name : names)
    if (!isTaken(name))
      return name;
  for (int i = 2;; ++i)
    if (std::string name = *names.begin() + ("_" + std::to_string(i)); !isTaken(name))
      return name;
}

std::string NamedSizes::nameAfterStride(const AccessDim &dim) const {
  const std::string name =
      dim.strides.size() == 1 ? dimensionOfStride(nameOf(dim.strides.front())) : std::string();
  return isTaken(name) ? std::string() : name;
}

std::string NamedSizes::unusedSize(llvm::function_ref<bool(llvm::StringRef)> fits) {
  for (unsigned i = 0; i < m_parameters.size(); ++i) {
    const BlockArgument argument = m_kernel.getFunctionBody().getArgument(i);
    if (argument.getType().isInteger() && argument.use_empty() && fits(nameOf(i)) &&
        !m_launch.integers.contains(nameOf(i)))
      return sizeOf(i);
  }
  return {};
}

void NamedSizes::giveStride(const AccessDim &dim, std::vector<std::string> extents,
                            SuggestedTensor &tensor) {
  const std::vector<unsigned> &strides = dim.strides;
  const std::string value = productOf(extents, 0);
  // Sums say what they are.
  if (!llvm::all_of(strides, IndexBounds::isArgument)) {
    const bool isSum =
        llvm::any_of(strides, [this](unsigned each) { return m_bounds.sumOf(each); });
    tensor.isGuess |= !isSum || productOf(sizesOf(strides), 0) != value;
    return;
  }
  if (dim.strideDivisor > 1 || dim.strideFactor > 1) {
    const auto known = m_launch.integers.find(nameOf(strides.front()));
    tensor.isGuess |=
        strides.size() != 1 ||
        !isDistance(dim, value,
                    known == m_launch.integers.end() ? sizeOf(strides.front()) : known->second,
                    m_constexprs);
  } else if (strides.size() == 1) {
    const auto [known, isNew] = m_launch.integers.try_emplace(nameOf(strides.front()), value);
    tensor.isGuess |= !isNew && known->second != value;
  } else if (strides.size() > 1) {
    std::vector<std::string> factors;
    for (const unsigned stride : strides)
      if (const auto known = m_launch.integers.find(nameOf(stride));
          known != m_launch.integers.end())
        takeOut(known->second, extents);
    for (const unsigned stride : strides) {
      const auto [known, isNew] =
          m_launch.integers.try_emplace(nameOf(stride), productOf(extents, 0));
      if (isNew)
        extents.clear();
      factors.push_back(known->second);
    }
    tensor.isGuess |= productOf(factors, 0) != value;
  }
}

} // namespace tilescope::compiler
