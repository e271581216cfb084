// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run asks the worker about a kernel beside running it.
#pragma once

#include "app/commands/CompileFile.h"
#include "compiler/artifacts/RoundingFacts.h"

#include <stop_token>
#include <vector>

namespace tilescope::app {

/// What the kernel rounds on the way to its outputs.
struct KernelRoundings {
  std::vector<compiler::RoundingFacts> facts;
  /// Products that use tf32 because the source states no precision.
  std::vector<SourceRange> tf32Products;
};

/// Of a kernel whose launch expects results; nothing for others. What enters behind TTIR does not tell, and
/// counts as rounding all of it.
KernelRoundings roundingsOfKernel(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const std::stop_token &stop);

/// What a compilation says of the configurations that cannot be launched: a run compiles only the one
/// that it is of.
std::vector<compiler::Diagnostic> refusedConfigurations(compiler::WorkerClient &worker,
                                                        const InputFile &input,
                                                        const compiler::Selection &selection,
                                                        const std::stop_token &stop);

} // namespace tilescope::app
