// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"
#include "profiler/package/EvaluateLaunch.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {
struct ModuleIndex;
}

namespace tilescope::app {

/// A `@triton.jit` function of a kernel file that can be launched.
struct SourceKernel {
  std::string name;
  /// From its first decorator to the end of its body.
  SourceRange range;
  /// What a launch fills; parameters that `@triton.heuristics` computes are left out.
  std::vector<profiler::LaunchParameter> parameters;
  /// Another function of the file calls it.
  bool isCalled = false;
};

/// The kernels of a file in its order.
std::vector<SourceKernel> sourceKernels(std::string_view text);
std::vector<SourceKernel> sourceKernels(const compiler::ast::ModuleIndex &index);

/// The kernel of that name; without a name the first that no other function calls. Null: there is
/// none.
const SourceKernel *findKernel(const std::vector<SourceKernel> &kernels, std::string_view name);

} // namespace tilescope::app
