// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Step mode as views and messages see it: what the user wants, and where the programs are then.
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/artifacts/Stage.h"

#include <optional>

namespace tilescope::compiler {

enum class StepAction : uint8_t {
  /// Only looks again.
  Look,
  /// To the next line of this function, or of its caller.
  Over,
  /// To the next line, also of a called function.
  Into,
  /// Behind the end of this function.
  Out,
  /// Where `Over`, `Into` and `Out` would have come from.
  BackOver,
  BackInto,
  BackOut,
  /// To the next breakpoint, or the one before.
  Continue,
  ReverseContinue,
  /// To `StepCommand::line`.
  RunTo,
  /// To the store that writes `StepCommand::element`.
  RunToWrite,
  /// To where another program is; it begins when it is chosen first.
  Choose,
  /// Everything from the beginning, with a program and an order.
  Restart,
};

/// Which programs have run to their end before the one that is stepped begins.
enum class StepOrder : uint8_t {
  /// None.
  Alone,
  /// Those before it in the order of the grid.
  Earlier,
  /// All others, in the order of the grid or against it.
  Others,
  OthersReversed,
};

/// Stops programs in front of a line.
struct StepBreakpoint {
  /// The stage whose text it is in; nothing: the document.
  std::optional<StageId> stage;
  uint32_t line = 0;
  /// An expression over values; it stops where any element is other than 0. Empty: always.
  std::string condition;
  bool operator==(const StepBreakpoint &) const = default;
};

/// What of a stopped program is shown.
struct StepSight {
  /// The function whose variables are wanted, counted from the innermost.
  uint32_t frame = 0;
  /// Also values without a name in the source.
  bool allValues = false;
  std::vector<std::string> watches;
  /// The value that is shown as a picture: its name in the source, or in the IR with its `%`;
  /// empty: none.
  std::string block;
  /// The contents that are shown already; 0: none.
  uint64_t blockVersion = 0;
  bool operator==(const StepSight &) const = default;
};

struct StepCommand {
  StepAction action = StepAction::Look;
  /// Steps are operations of the IR instead of lines of the source.
  bool byOperation = false;
  /// For `Choose` and `Restart`.
  std::array<int32_t, 3> program{};
  StepOrder order = StepOrder::Alone;
  /// For `RunTo`; its condition is not used.
  StepBreakpoint line;
  /// For `RunToWrite`.
  ArgumentElement element;
  /// Stop in front of what goes wrong.
  bool stopAtFindings = true;
  std::vector<StepBreakpoint> breakpoints;
  StepSight sight;
  bool operator==(const StepCommand &) const = default;
};

/// A function that is executed.
struct StepFrame {
  std::string function;
  /// Where it is; the file indexes the files of the reply.
  SourceRange range;
  bool operator==(const StepFrame &) const = default;
};

struct StepValue {
  /// In the source; for a value without a name there, the text that it is computed by, or nothing.
  std::string name;
  bool isNamed = false;
  /// In the IR, with `%`.
  std::string ssa;
  /// `fp32[64]`.
  std::string type;
  std::string preview;
  /// Computed since the last stop.
  bool isChanged = false;
  /// Whether it can be shown as a picture.
  bool isBlock = false;
  /// The line of the stage that computes it; -1: not known.
  int32_t stageLine = -1;
  bool operator==(const StepValue &) const = default;
};

struct StepWatch {
  std::string expression;
  /// Or what is wrong with the expression.
  std::string text;
  bool isError = false;
  bool operator==(const StepWatch &) const = default;
};

/// The elements of a value.
struct StepBlock {
  /// As the sight names it.
  std::string name;
  /// `fp32[64]`; what is held may be wider.
  std::string type;
  /// Grows with time; other contents have another one.
  uint64_t version = 0;
  /// Of the elements here: `i1`, `i32`, `fp32`, ….
  std::string dtype;
  std::vector<int64_t> shape;
  /// Row by row; empty when the sight has this version.
  std::string data;
  /// A byte for each element, 0 where it is not defined; empty: all are.
  std::string defined;
  /// Addresses are elements of this argument, counted from its first.
  std::string argument;
  /// The line of the stage that computes it; -1: not known.
  int32_t stageLine = -1;
  bool operator==(const StepBlock &) const = default;
};

/// Where a program has stopped, and what it holds there.
struct StepState {
  std::array<int32_t, 3> program{};
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Instructions that the program has executed, and all programs.
  uint64_t ownTime = 0;
  uint64_t time = 0;
  bool isAtEnd = false;
  /// Why it has stopped here; empty: the step is done.
  std::string reason;
  /// The reason is something that goes wrong here.
  bool isFault = false;
  /// It was told to stop.
  bool isInterrupted = false;
  /// The innermost first.
  std::vector<StepFrame> frames;
  /// The stage that is executed, and its line that is next; -1: none.
  StageId stage = StageId::Ttir;
  int32_t stageLine = -1;
  /// The operation that is next: `tt.load`.
  std::string operation;
  std::vector<StepValue> values;
  std::vector<StepWatch> watches;
  std::optional<StepBlock> block;
  /// What went wrong so far, in all programs, and what was printed.
  std::vector<std::string> findings;
  std::vector<std::string> prints;
  /// Programs that have begun and not ended.
  std::vector<std::array<int32_t, 3>> underWay;
  /// Of each breakpoint: the line at which it stops, or -1.
  std::vector<int32_t> breakpointLines;
  bool operator==(const StepState &) const = default;
};

} // namespace tilescope::compiler
