// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ResolveLaunch.h"
#include "compiler/artifacts/CompileResult.h"

namespace tilescope::app {

/// What the launch calls a parameter of a document in IR. LLVM IR and PTX may have numbers in place
/// of names, `arg0`, `arg1`, …: there the position in the plan counts.
std::string launchName(const std::vector<compiler::KernelParameter> &parameters, size_t position,
                       compiler::StageId entry, const profiler::LaunchPlan &plan);

/// The parameters of a document in IR that its launch block has no value for. They are known once
/// the document is read; what kernel files declare is known before (`resolveLaunch`).
std::vector<compiler::Diagnostic>
missingArguments(const compiler::CompileRequest &request, const ResolvedLaunch &launch,
                 const std::vector<compiler::KernelParameter> &parameters);

} // namespace tilescope::app
