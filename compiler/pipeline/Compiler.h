// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/CpuExecutor.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/target/CudaToolkit.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>

namespace tilescope::compiler {

/// What a caller can follow and influence while a compilation runs. Each function may be empty.
struct CompileHooks {
  std::function<void(StageId)> stageStarted;
  /// `soFar` holds `stage` as its last one, with all diagnostics up to now.
  std::function<void(const CompileResult &soFar, const Stage &stage)> stageFinished;
  /// Before every pass and every tool, with its name. May not return: tests make it crash.
  std::function<void(StageId, std::string_view)> stepStarted;
  /// Whether the caller reads the text and the source map of a stage; empty: of all. Those that
  /// nothing else needs either are left out.
  std::function<bool(StageId)> wantsText;
  /// Whether the caller reads which passes changed something.
  bool wantsPasses = true;
  /// TTIR says where each name of the source gets its value: for step mode, and only up to TTIR.
  bool keepsBindings = false;
  std::stop_token stop;
};

struct CompileOutcome {
  CompileResult result;
  /// The pass that made each `ttg.convert_layout` of TTGIR as it is, in the order of the text;
  /// nothing where TTGIR is the document.
  std::vector<std::string> conversionPasses;
  bool cancelled = false;
};

/// The interpreter's input from a launch.
struct InterpretInput {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Returns the argument for a run-time parameter; nothing when the launch has none of that name.
  std::function<std::optional<InterpreterArgument>(const KernelParameter &)> argument;
  /// Elements whose last writers are wanted; a few.
  std::vector<ArgumentElement> watches;
  /// Values that the launch names as sizes of its data.
  std::set<int64_t> sizes;
  /// 0: one per processor.
  unsigned numThreads = 0;
  /// Of the GPU that is meant (`InterpreterOptions`).
  uint32_t multiprocessors = 0;
  CpuExecutor executor = CpuExecutor::OfTarget;
  /// Of native code of the target, which checks nothing otherwise: find accesses outside of the
  /// arguments.
  bool checksBounds = false;
  /// Native code of the target has the interpreter's bits.
  bool isExact = false;
  /// Of native code: that of the folder of `keepCodeIn` will do, and what is compiled is kept there.
  bool keepsCode = true;
  /// As in `InterpreterOptions`; nothing: its default.
  std::optional<std::chrono::nanoseconds> maxProgramDuration;
  /// Of native code without checks: so many more launches, only for their times.
  uint32_t repeats = 0;
  /// Nothing is executed, and only `InterpretOutcome::roundings` are found out.
  bool onlyRoundings = false;
  /// What the source computes in fp16 or bf16 is computed in fp32 (`withWideFloats`); an error where that is not possible.
  bool widensFloats = false;
  /// Told a few times a second how many programs have ended; called from its own thread.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

struct InterpretOutcome {
  /// Up to TTIR, with the findings of the run among the diagnostics.
  CompileResult result;
  Interpretation interpretation;
  /// Products of fp32 that use tf32 because the source states no precision.
  std::vector<SourceRange> roundedProducts;
  /// Values of masked-off lanes that take part in a reduction: what would not, with the words that
  /// say so.
  std::vector<DiagnosticFix> countedFillers;
  /// Of the arguments that the kernel stores to.
  std::vector<RoundingFacts> roundings;
  /// Of accesses that were masked off in the whole run, to which argument they would have been,
  /// and `maskedOffDiagnostic`; none are among the result's diagnostics, since a kernel may mean it so.
  std::vector<std::pair<std::string, Diagnostic>> maskedOff;
  /// Of a run without findings: what no program has read of its inputs (`unreadElements`). They are not among the
  /// result's diagnostics, either.
  std::vector<Diagnostic> unread;
  /// Of such a run: what several programs store alike (`repeatedStores`). They are not among them, either.
  std::vector<Diagnostic> repeated;
  /// Axes of the grid along which programs do not differ, since none reads its place there. Empty for
  /// kernels that share out work in another way, by atomic operations or in assembly.
  std::vector<int32_t> unreadAxes;
  bool cancelled = false;
};

/// The whole way from text to machine code, and what is kept between two compilations: the loaded
/// dialects, the tools that were found, the stages that were made.
///
/// Thread: one; compile in one thread for as long as the compiler lives.
class Compiler {
public:
  explicit Compiler(CudaToolkit toolkit);
  ~Compiler();

  /// Never throws and never returns nothing: what is wrong is in the result's diagnostics, and the
  /// stages before it are there.
  CompileOutcome compile(const CompileRequest &request, const CompileHooks &hooks = {});

  /// Compiles to TTIR and executes it on the CPU over the whole grid. The memory of the arguments
  /// is the caller's.
  InterpretOutcome interpret(const CompileRequest &request, const InterpretInput &input,
                             const CompileHooks &hooks = {});

  /// Takes native code from this folder, and leaves there what it compiles; empty: not. It is the user's own, or is made.
  void keepCodeIn(std::string folder);

  const CudaToolkit &toolkit() const;

  /// Frees what uniqued attributes and types of past compilations hold, when that has become much.
  /// Takes a few milliseconds then; call it when nothing waits.
  void trim();

private:
  friend struct CompileJob;
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace tilescope::compiler
