// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/InspectFile.h"
#include "profiler/package/KernelPackage.h"

#include <optional>
#include <string>

namespace tilescope::app {

/// One of the things that are compared: a file, a launch or a target of it, a package, or machine
/// code.
struct ComparedSide {
  /// As the command line has it.
  std::string name;
  /// Nothing for packages and machine code.
  std::optional<InputFile> input = std::nullopt;
  compiler::Selection selection = {};
  Inspection inspection;
  /// Nothing where it cannot be launched; `packageMissing` says why.
  std::optional<profiler::KernelPackage> package = std::nullopt;
  Error packageMissing = {};
};

/// Reads `FILE`, `FILE@LAUNCH`, `FILE@TARGET` or a package `FILE.tskernel`, and finds its facts.
Result<ComparedSide> readSide(compiler::WorkerClient &worker, const std::string &text,
                              compiler::Selection selection);

/// Whether a side is machine code alone, `FILE.cubin`, as Triton's cache has it: what its launch
/// needs comes from the other side.
bool isMachineCode(const std::string &text);

/// Reads machine code with the JSON that Triton writes beside it. Grid, arguments and their data are
/// those of `launched`, a kernel with the same parameters.
Result<ComparedSide> readMachineCode(const std::string &path,
                                     const profiler::KernelPackage &launched);

} // namespace tilescope::app
