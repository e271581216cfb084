// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a client says to the worker. See Messages.h.
#pragma once

#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CpuExecutor.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/artifacts/ModelResult.h"
#include "compiler/artifacts/StepState.h"
#include "compiler/artifacts/TouchTrace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilescope::compiler {

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
  /// Nothing is executed: only how the kernel rounds is asked.
  bool onlyRoundings = false;
  /// As in `InterpretInput`.
  bool widensFloats = false;
  CpuExecutor executor = CpuExecutor::OfTarget;
  bool checksBounds = false, isExact = false, keepsCode = true;
  /// As in `InterpretInput`, in nanoseconds; 0: the default.
  int64_t maxProgramNs = 0;
  uint32_t repeats = 0;
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
  /// Also what the launch will take, which needs the machine code, too; it is part of what hints need.
  bool wantsEstimate = false;
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

/// Reads a model file.
struct ModelMessage {
  JobId job = 0;
  ModelRequest request;
  TestHook hook;
  bool operator==(const ModelMessage &) const = default;
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
                                   StepMessage, ModelMessage, PingMessage, ShutdownMessage>;

} // namespace tilescope::compiler
