// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

namespace tilescope::compiler {

/// What a kernel is called with, and a launch that can be guessed of it. As in `CompileResult`.
struct KernelInterface {
  std::string kernel;
  std::map<std::string, std::string> signature, constexprs, options;
  std::vector<Assumption> assumptions;
  KernelMetadata metadata;
  SuggestedLaunch suggestion;
};

} // namespace tilescope::compiler
