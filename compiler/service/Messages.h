// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/artifacts/StepState.h"
#include "compiler/artifacts/TouchTrace.h"
#include "compiler/service/ProtocolVersion.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the IDE and the command line say to `tilescope-worker`, and what it answers.
///
/// One conversation, on the worker's standard input and output (MessageCodec.h frames it):
///
///     -> Compile{job 7, request, wanted}
///     <- LaunchResolved{7, the launch that the request means, what is wrong with its block}
///     <- StageStarted{7, Ast}  <- StageReady{7, AST …}
///     <- StageStarted{7, Ttir} <- StageReady{7, TTIR …, diagnostics so far, hover facts}
///     -> Compile{job 8, …}, Cancel{7}              a newer edit
///     <- CompileDone{7, cancelled}
///     <- StageStarted{8, Ast} …
///     <- CompileDone{8, result without what StageReady already carried}
///
/// A client that only wants the result feeds every reply to a `ResultAssembler`. A worker that dies
/// sends `Crashed` as its last words when it still can; otherwise the client knows the stage from
/// the last `StageStarted`.
namespace tilescope::compiler {

/// Its number is raised whenever a message or an artifact changes its fields.
inline constexpr uint32_t kWorkerProtocolVersion = protocolVersion(14);

/// Chosen by the client, unique within one worker's life; grows.
using JobId = uint64_t;

/// Which parts of a result are sent; the rest is computed (and cached) but stays in the worker. A
/// view that opens later sends the same request again with more wanted: the cache answers it.
struct WantedParts {
  /// Bit `1 << StageId`: stages sent with text and source map. The others arrive without text.
  uint32_t stages = (1u << kNumStages) - 1;
  /// The list of passes (without IR).
  bool passes = true;
  /// The IR after each pass; needs `CompileRequest::recordPassIr`.
  bool passIr = false;
  bool layouts = true;
  bool values = true;
  bool operator==(const WantedParts &) const = default;

  bool wants(StageId id) const { return (stages >> static_cast<int>(id)) & 1u; }
};

/// What a test makes the compiler do before a pass or stage. Ignored unless the worker's
/// environment has `TILESCOPE_TEST_HOOKS=1`.
struct TestHook {
  enum class Action : uint8_t { None, Crash, Hang, ExhaustMemory, OverflowStack };
  Action action = Action::None;
  /// Name of the stage (`ttir`, `ptx`, …) or pass (`canonicalize`, …) before which it happens.
  std::string where;
  bool operator==(const TestHook &) const = default;
};

// ---- client to worker ----

struct CompileMessage {
  JobId job = 0;
  CompileRequest request;
  WantedParts wanted;
  TestHook hook;
  bool operator==(const CompileMessage &) const = default;
};

/// Stops a job at the next pass or statement. Unknown or finished jobs are ignored.
struct CancelMessage {
  JobId job = 0;
  bool operator==(const CancelMessage &) const = default;
};

/// Compiles to TTIR and runs it on the CPU over the whole grid of the plan.
struct InterpretMessage {
  JobId job = 0;
  CompileRequest request;
  /// A launch plan as JSON (`profiler/package/LaunchPlan.h` writes it): arguments, grid, numbers.
  std::string launchPlan;
  /// Existing folder; every pointer argument is written there as `<name>.npy` after the run.
  std::string outputFolder;
  /// Pointer arguments that have a file `<name>.npy` there begin with its contents; may be empty.
  std::string inputFolder;
  /// Elements of which the last writer is asked; a few.
  std::vector<ArgumentElement> watches;
  /// 0: as many as the machine has.
  uint32_t threads = 0;
  TestHook hook;
  bool operator==(const InterpretMessage &) const = default;
};

/// Compiles to TTGIR and counts what the accesses of the plan's launch cost.
struct InspectMessage {
  JobId job = 0;
  CompileRequest request;
  /// As in `InterpretMessage`; empty: nothing is executed, and only what does not depend on a launch
  /// is found out.
  std::string launchPlan;
  std::string inputFolder;
  /// The only program that is counted; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program;
  /// What of the only program is recorded; nothing: it is only counted.
  std::optional<RecordRequest> record;
  /// Of the plan only the numbers count: nothing is executed.
  bool onlyNumbers = false;
  /// What is in shared memory is wanted, too; it needs no launch.
  bool sharedMemory = false;
  /// What warps do in loops is wanted, too; it needs no launch.
  bool loops = false;
  /// Time for counting; 0: as long as it takes.
  uint32_t timeLimitMs = 0;
  /// Addresses that depend on data are counted only if the launch's tensors take no more than this;
  /// 0: whatever they take.
  uint64_t mostDataBytes = 0;
  /// Also look for hints; the kernel is then compiled to machine code.
  bool wantsHints = false;
  /// 0: as many as the machine has.
  uint32_t threads = 0;
  TestHook hook;
  /// Nothing is counted: the programs whose touches are traced.
  std::optional<ProgramSample> touches;
  bool operator==(const InspectMessage &) const = default;
};

/// Compiles a launch to be stepped through.
struct StepLaunch {
  CompileRequest request;
  /// As in `InterpretMessage`.
  std::string launchPlan;
  std::string inputFolder;
  /// What is executed: TTIR or TTGIR.
  StageId stage = StageId::Ttir;
  bool operator==(const StepLaunch &) const = default;
};

/// Step mode. The worker keeps one launch, with the programs that have begun, until another one
/// comes.
struct StepMessage {
  JobId job = 0;
  /// Another launch; nothing: goes on with the one of before.
  std::optional<StepLaunch> launch;
  StepCommand command;
  TestHook hook;
  bool operator==(const StepMessage &) const = default;
};

struct PingMessage {
  uint64_t token = 0;
  bool operator==(const PingMessage &) const = default;
};

/// Finish nothing, exit with 0. The end of standard input means the same.
struct ShutdownMessage {
  bool operator==(const ShutdownMessage &) const = default;
};

using WorkerRequest = std::variant<CompileMessage, CancelMessage, InterpretMessage, InspectMessage,
                                   StepMessage, PingMessage, ShutdownMessage>;

// ---- worker to client ----

/// Something outside the program that a stage uses.
struct ToolInfo {
  /// `libdevice`, `nvJitLink`, `ptxas`, `nvdisasm`.
  std::string name;
  /// Empty: not found; `hint` then says what provides it.
  std::string path;
  std::string version;
  std::string hint;
  bool operator==(const ToolInfo &) const = default;
};

/// The first reply, sent when the worker takes requests. Until the first one comes it warms up.
struct HelloReply {
  uint32_t protocolVersion = kWorkerProtocolVersion;
  /// Of LLVM, e.g. `22.1.0`.
  std::string llvmVersion;
  std::vector<ToolInfo> tools;
  bool operator==(const HelloReply &) const = default;
};

struct StageStartedReply {
  JobId job = 0;
  uint64_t revision = 0;
  StageId stage{};
  bool operator==(const StageStartedReply &) const = default;
};

/// Which launch a compile job is for; the first thing that is known of it.
struct LaunchResolvedReply {
  JobId job = 0;
  uint64_t revision = 0;
  LaunchFacts launch;
  /// What is wrong with the launch block; later replies repeat it.
  std::vector<Diagnostic> diagnostics;
  bool operator==(const LaunchResolvedReply &) const = default;
};

/// A stage has finished or failed. Besides the stage it carries what became known with it.
struct StageReadyReply {
  JobId job = 0;
  uint64_t revision = 0;
  Stage stage;
  /// All diagnostics so far, not only this stage's.
  std::vector<Diagnostic> diagnostics;
  /// The passes of this stage.
  std::vector<PassRecord> passes;
  /// All files so far that ranges point into; the document, which the client has, without its text.
  std::vector<SourceFile> files;
  /// Names of the file's kernels; from the AST stage on.
  std::vector<std::string> kernels;
  /// With TTIR.
  std::vector<ValueFacts> values;
  /// With TTGIR.
  std::vector<LayoutFacts> layouts;
};

/// The end of a compile job: done, failed (see the diagnostics) or cancelled.
struct CompileDoneReply {
  JobId job = 0;
  bool cancelled = false;
  /// Complete, except for `launch`, `stages[i].text`, `.sourceMap`, `passes`, `values`, `layouts`
  /// and `files`, which the replies before carried; `ResultAssembler` puts them together.
  CompileResult result;
};

/// How far an interpreter run has come.
struct RunProgressReply {
  JobId job = 0;
  uint64_t programsDone = 0;
  uint64_t programsTotal = 0;
  bool operator==(const RunProgressReply &) const = default;
};

/// One argument after the run.
struct RunOutput {
  std::string name;
  /// Triton's name: `fp32`, `bf16`, `i32`, ….
  std::string dtype;
  std::vector<int64_t> shape;
  /// The `.npy` file.
  std::string path;
  /// Holds other bits than before the run.
  bool changed = false;
  /// Elements that no program wrote, and the first of them, of a tensor that began without data.
  int64_t numUnwritten = 0;
  int64_t firstUnwritten = -1;
  bool operator==(const RunOutput &) const = default;
};

/// Where a program has done what it must not.
struct RunFault {
  std::array<int32_t, 3> programId{};
  SourceRange range;
  bool operator==(const RunFault &) const = default;
};

/// The end of an interpreter run.
struct RunDoneReply {
  JobId job = 0;
  bool ok = false;
  bool cancelled = false;
  /// The kernel's faults (an access outside an argument, a failed assertion) and compile errors.
  std::vector<Diagnostic> diagnostics;
  std::vector<SourceFile> files;
  std::vector<RunOutput> outputs;
  /// What `tl.device_print` wrote; ranges point into `files`.
  std::vector<InterpreterPrint> prints;
  /// The last writers of the watched elements; ranges point into `files`.
  std::vector<ElementWriter> writers;
  /// One for each place, with the first program of which it is known; ranges point into `files`.
  std::vector<RunFault> faults;
  /// Products of fp32 that use tf32 because the source states no precision; they point into
  /// `files`.
  std::vector<SourceRange> roundedProducts;
  uint64_t programs = 0;
  int64_t durationNs = 0;
  bool operator==(const RunDoneReply &) const = default;
};

/// The end of a count of accesses.
struct InspectDoneReply {
  JobId job = 0;
  bool ok = false;
  bool cancelled = false;
  std::vector<Diagnostic> diagnostics;
  std::vector<SourceFile> files;
  /// Ranges point into `files`.
  MemoryFacts facts;
  /// Of the program that was to be recorded.
  AccessRecord record;
  /// Where it was asked for.
  SharedFacts shared;
  std::vector<LoopFacts> loops;
  /// It was given up when its time was over; `ok` is false then.
  bool isOutOfTime = false;
  /// Instead of the facts, where that was asked for.
  TouchTrace touches;
  /// Best first.
  std::vector<Hint> hints;
  /// Where hints are wanted.
  Estimate estimate;
  bool operator==(const InspectDoneReply &) const = default;
};

/// Where the programs are after a `StepMessage`.
struct StepDoneReply {
  JobId job = 0;
  /// The launch can be stepped through; else `diagnostics` say why not.
  bool ok = false;
  /// It ended before there was anything to step through.
  bool cancelled = false;
  std::vector<Diagnostic> diagnostics;
  /// With a launch: what ranges point into. The document is without its text.
  std::vector<SourceFile> files;
  StepState state;
  bool operator==(const StepDoneReply &) const = default;
};

struct PongReply {
  uint64_t token = 0;
  bool operator==(const PongReply &) const = default;
};

/// The worker's last words.
struct CrashedReply {
  enum class Reason : uint8_t { Crash, StackOverflow, OutOfMemory, Killed };
  JobId job = 0;
  uint64_t revision = 0;
  Reason reason = Reason::Crash;
  StageId stage{};
  /// The pass or tool that was running; empty between passes.
  std::string pass;
  /// `SIGSEGV`, `SIGABRT`, ….
  std::string signal;
  /// What LLVM said before it gave up; empty when nothing.
  std::string message;
  /// Folder with the kernel text and the state of the pipeline; empty when it could not be written.
  std::string reproducer;
  bool operator==(const CrashedReply &) const = default;
};

using WorkerReply = std::variant<HelloReply, LaunchResolvedReply, StageStartedReply,
                                 StageReadyReply, CompileDoneReply, RunProgressReply, RunDoneReply,
                                 InspectDoneReply, StepDoneReply, PongReply, CrashedReply>;

/// The crash as the user reads it: stage, pass, reproducer. The range is the start of the
/// document.
Diagnostic crashDiagnostic(const CrashedReply &crash);

} // namespace tilescope::compiler
