// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the user can choose between for one kernel: every entry of `@triton.autotune`, completed by
// what `@triton.heuristics` computes for it.
//
//   @triton.autotune([Config({"BLOCK": 64}), Config({"BLOCK": 128})], key=["n"])
//   @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
//
//   with n = 192 known:  BLOCK=64 EVEN=True,  BLOCK=128 EVEN=False
//   with n unknown:      BLOCK=64 EVEN=True,  BLOCK=64 EVEN=False,  BLOCK=128 EVEN=True, …
#pragma once

#include "compiler/artifacts/LaunchFacts.h"
#include "compiler/inference/Heuristics.h"
#include "compiler/syntax/ModuleIndex.h"

#include <vector>

namespace tilescope::compiler::inference {

/// The choices for `kernel`. A heuristic that asks for an argument that is not known is offered with both values when it is a
/// condition, and left out when it is not; so is one that takes long.
std::vector<Configuration> offeredConfigurations(const ast::ModuleIndex &index,
                                                 const ast::JitFunction &kernel,
                                                 const KnownArguments &known);

} // namespace tilescope::compiler::inference
