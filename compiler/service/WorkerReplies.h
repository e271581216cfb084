// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the worker answers. See Messages.h.
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/artifacts/KernelInterface.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/artifacts/ModelResult.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/artifacts/StepState.h"
#include "compiler/artifacts/TouchTrace.h"
#include "compiler/service/ProtocolVersion.h"
#include "compiler/service/WorkerRequests.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilescope::compiler {

/// Its number is raised whenever a message or an artifact changes its fields.
inline constexpr uint32_t kWorkerProtocolVersion = protocolVersion(25);

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
  /// With TTIR: a launch needs nothing that is made behind it.
  std::optional<KernelInterface> interface;
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
  /// Values of masked-off lanes that take part in a reduction, each with the code that would not, and
  /// the words that say so; they point into `files`.
  std::vector<DiagnosticFix> countedFillers;
  /// How coarsely the kernel rounds before it stores; empty where that is not known.
  std::vector<RoundingFacts> roundings;
  uint64_t programs = 0;
  int64_t durationNs = 0;
  /// Of launches behind the first one.
  std::vector<int64_t> repeatNs = {};
  /// As `Interpretation` and its statistics have it.
  bool isNative = false;
  std::string whyInterpreted = {};
  bool countsUnwritten = true;
  uint64_t sampledPrograms = 0;
  int64_t sampleDurationNs = 0;
  /// Of native code: until it can be executed.
  int64_t compileDurationNs = 0;
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

/// What is known of a model.
struct ModelDoneReply {
  JobId job = 0;
  bool cancelled = false;
  /// What ended the worker before there was a result.
  std::vector<Diagnostic> diagnostics;
  ModelResult result;
  bool operator==(const ModelDoneReply &) const = default;
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

using WorkerReply =
    std::variant<HelloReply, LaunchResolvedReply, StageStartedReply, StageReadyReply,
                 CompileDoneReply, RunProgressReply, RunDoneReply, InspectDoneReply, StepDoneReply,
                 ModelDoneReply, PongReply, CrashedReply>;

} // namespace tilescope::compiler
