// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/machine/CodeLiveness.h"
#include "compiler/machine/CpuCode.h"
#include "profiler/data/Measurement.h"

#include <array>
#include <optional>

namespace tilescope::app {

/// How many registers are alive where the most are, and which values they hold.
struct LivePeak {
  /// `sass` or `ptx`.
  std::string stage;
  /// Of the stage's text, 0-based.
  uint32_t line = 0;
  int registers = 0, uniformRegisters = 0, predicates = 0;
  struct Value {
    std::optional<SourceRange> place;
    std::string name;
    int registers = 0;
    /// `R4–R7`.
    std::string which;
  };
  std::vector<Value> values;
};

/// What there is to know of a kernel and its launch without a GPU.
struct Inspection {
  /// Compiled to machine code, as far as the machine allows.
  CompiledFile file;
  /// Nothing when the file does not say how its kernel is launched.
  std::optional<compiler::MemoryFacts> memory;
  /// Where there are bulk copies: what the program that was chosen, or the first one, does.
  compiler::AccessRecord record;
  /// What the kernel keeps in shared memory; nothing where it does not come from blocks.
  std::optional<compiler::SharedFacts> shared;
  /// What warps do in its loops; nothing where that is not known.
  std::optional<std::vector<compiler::LoopFacts>> loops;
  /// What costs more than it needs to, best first; only where all programs were counted.
  std::vector<compiler::Hint> hints;
  /// What the launch will take, or why that is not known; only where all programs were counted.
  std::optional<compiler::Estimate> estimate;
  /// Of the launch block, the compiler and the count; ranges of all point into `files`.
  std::vector<compiler::Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;
  compiler::Resources resources;
  std::optional<profiler::Occupancy> occupancy;
  /// Of machine code, where it can be read, and of PTX.
  std::vector<LivePeak> livePeaks;
  /// What the code for a processor consists of; nothing for GPUs.
  std::optional<compiler::machine::CpuCode> cpuCode;
  /// Why parts are absent.
  std::vector<std::string> notes;

  bool ok() const;
};

struct InspectFileOptions {
  /// The only program whose accesses are counted; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program = std::nullopt;
  std::stop_token stop = {};
  /// What is behind it is not made.
  compiler::StageId stopAfter = compiler::StageId::Sass;
  bool countsAccesses = true;
  /// Only of the whole grid.
  bool wantsHints = true;
  /// Shared memory and loops.
  bool wantsPlanned = true;
};

/// The error is about the environment; what is wrong with the kernel is among the diagnostics.
Result<Inspection> inspectInput(compiler::WorkerClient &worker, const InputFile &input,
                                const compiler::Selection &selection,
                                const InspectFileOptions &options = {});

} // namespace tilescope::app
