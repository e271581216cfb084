// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/RoundingFacts.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/SumDepths.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// What the kernel rounds more coarsely than in fp32 before it stores: one for each argument that it
/// stores to, by walking back from the stores. The last rounding, to the type that is stored, does not
/// count. `names`: of the kernel's arguments, in their order. `kernel`: in TTIR. `numWarps`: what
/// executes a program, which adds up what it reduces. `launch`: by which loops may run. The places of
/// the stores are of `files`.
std::vector<RoundingFacts> kernelRoundings(tt::FuncOp kernel, const std::vector<std::string> &names,
                                           int numWarps, const LaunchNumbers &launch,
                                           FileTable &files);

} // namespace tilescope::compiler
