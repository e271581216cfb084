// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "compiler/artifacts/Estimate.h"
#include "profiler/package/KernelPackage.h"

namespace tilescope::app {

/// Everything the machine with the GPU needs, from a compiled kernel with its launch. The error
/// says what is missing: a launch block, PTX.
Result<profiler::KernelPackage> makePackage(const CompiledFile &file);

/// A package, or why there is none: an error with an empty message means that the diagnostics say
/// it all.
struct CompiledPackage {
  Result<profiler::KernelPackage> package;
  std::vector<compiler::Diagnostic> diagnostics;
  /// That the diagnostics point into.
  std::vector<compiler::SourceFile> files;
  /// The machine code as text; nothing unless it was asked for and could be made.
  std::optional<compiler::Stage> sass;
  /// Of the usual device of the target; nothing unless it was asked for.
  std::optional<compiler::Estimate> estimate = std::nullopt;
};

struct CompilePackageOptions {
  std::stop_token stop = {};
  /// The machine code as text, too.
  bool sass = false;
  /// What the launch will take, too.
  bool estimate = false;
};

/// Compiles a file as far as a package needs it, and makes the package.
CompiledPackage compilePackage(compiler::WorkerClient &worker, const InputFile &input,
                               const compiler::Selection &selection,
                               const CompilePackageOptions &options = {});

} // namespace tilescope::app
