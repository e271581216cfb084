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

std::string NamedSizes::textOf(const LinearEnd &sum) {
  return sum.text([this](unsigned argument) { return sizeOf(argument); });
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

} // namespace tilescope::compiler
