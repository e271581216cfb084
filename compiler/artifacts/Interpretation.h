// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// What a run of the kernel on the CPU found.
enum class InterpreterFindingKind {
  /// An access outside every element of the argument that the pointer belongs to.
  OutOfBoundsLoad,
  OutOfBoundsStore,
  OutOfBoundsAtomic,
  /// A pointer that belongs to no argument.
  InvalidPointer,
  /// A `tl.device_assert` that does not hold.
  AssertFailed,
  /// An element that two programs write, with different values and in no order.
  WriteRace,
  /// An element that one store writes twice, with different values and in no order.
  StoreConflict,
  /// A value that a masked-off load left undefined reaches a store.
  UndefinedStored,
  /// The same for what decides where and whether the kernel does something: an address, a mask, the
  /// condition of a branch or a loop.
  UndefinedAddress,
  /// An integer division, or a remainder, of which every divisor is 0.
  DivisionByZero,
  /// A program that ran longer than the limit allows, most likely an endless loop.
  StepLimit,
  /// An operation that the interpreter cannot execute; nothing was run.
  Unsupported,
};

/// A program of a grid as messages name it: "program 3", or "program (3, 0, 1)" where the grid has
/// several dimensions.
std::string programText(const std::array<int32_t, 3> &id, const std::array<int64_t, 3> &grid);

/// One finding: where in the source, in which program, at what.
struct InterpreterFinding {
  InterpreterFindingKind kind{};
  /// `range.file` indexes `Interpretation::files`.
  SourceRange range;
  /// Index of the program in the grid: x, y, z.
  std::array<int32_t, 3> programId{};
  /// Name of the kernel's argument; empty when none is concerned.
  std::string argument;
  /// Offset of the access from the argument's first element, in elements of the access's type.
  int64_t offset = 0;
  /// The last one that is at fault; `offset` when it is the only one.
  int64_t lastOffset = 0;
  /// Extent of the argument in the same elements.
  int64_t extent = 0;
  /// Programs in which it was found at this place; `programId` is the first of them.
  uint64_t numPrograms = 1;
  /// Of an access outside: how many elements the first of these programs so accesses, in all rounds.
  uint64_t numAccesses = 0;
  /// Copies of the statement in which it was found, as unrolled loops and functions that are called
  /// again make them; the rest is about the first of them.
  uint64_t numCopies = 1;
  /// Where it was found in the other copies: "`x_ptr[16]` to `x_ptr[48]`"; empty where no argument is
  /// concerned, or there are none.
  std::string copiesText;
  /// The elements that this text is about.
  int64_t lowestCopied = 0;
  int64_t highestCopied = 0;
  /// Of a race: where the other access is, if that is known.
  std::optional<SourceRange> otherRange = std::nullopt;
  /// Of an undefined value: the loads whose masks leave it so; empty: that was not found out.
  std::vector<SourceRange> sources;
  /// Of a race: it is one of threads of the same program.
  bool isWithinProgram = false;
  /// Of such a race: one of the two reads. What the argument holds in the end does not depend on which comes first, but
  /// by what is made of the element that was read.
  bool isWithRead = false;
  /// Lower-case start, no full stop, code in backticks.
  std::string message;
  /// Whether all of an access outside lies in front of the argument: programs that read behind it do not
  /// do the same.
  bool isInFront() const { return extent > 0 && lastOffset < 0; }
  bool operator==(const InterpreterFinding &) const = default;
};

/// "the same in 3 more copies of this statement, at `x_ptr[16]` to `x_ptr[48]`: …", of a finding in several.
std::string copiesNote(const InterpreterFinding &finding);

/// One `tl.device_print` executed by one program; its lines are as on the device.
struct InterpreterPrint {
  std::array<int32_t, 3> programId{};
  /// `range.file` indexes `Interpretation::files`.
  SourceRange range;
  std::string text;
  bool operator==(const InterpreterPrint &) const = default;
};

/// One element of an argument, counted in elements of the argument's type.
struct ArgumentElement {
  std::string argument;
  int64_t element = 0;
  bool operator==(const ArgumentElement &) const = default;
};

/// Who wrote a watched element last.
struct ElementWriter {
  ArgumentElement element;
  std::array<int32_t, 3> programId{};
  /// `range.file` indexes `Interpretation::files`.
  SourceRange range;
  bool operator==(const ElementWriter &) const = default;
};

/// Elements of an argument that no program has written.
struct UnwrittenElements {
  std::string argument;
  int64_t count = 0;
  int64_t first = -1;
  bool operator==(const UnwrittenElements &) const = default;
};

/// An access whose mask was false for every element, whenever programs came to it.
struct MaskedOffAccess {
  /// `range.file` indexes `Interpretation::files`.
  SourceRange range;
  /// To whose elements the addresses belong; empty: to those of none.
  std::string argument;
  /// It is a load; otherwise a store or an atomic operation.
  bool isLoad = false;
  bool operator==(const MaskedOffAccess &) const = default;
};

/// Programs that waited for others which had not begun.
struct WaitingPrograms {
  /// The most that were seen to wait at once before another one began: on a GPU that holds no more
  /// of them, none ever begins.
  uint64_t inVain = 0;
  /// The most that had begun and not ended.
  uint64_t atOnce = 0;
  /// One that waited, and where.
  std::array<int32_t, 3> programId{};
  SourceRange range;
  bool operator==(const WaitingPrograms &) const = default;
};

/// What the run cost and did.
struct InterpreterStatistics {
  uint64_t programs = 0;
  uint64_t instructions = 0;
  uint64_t bytesLoaded = 0;
  uint64_t bytesStored = 0;
  uint32_t threads = 0;
  std::chrono::nanoseconds translateDuration{};
  std::chrono::nanoseconds runDuration{};
  /// Of launches behind the first one.
  std::vector<int64_t> repeatNs;
  /// Of native code: programs that the interpreter has executed before, and how long that took.
  uint64_t sampledPrograms = 0;
  std::chrono::nanoseconds sampleDuration{};
};

/// A load with an `other` that stood for elements, in any program.
struct FilledLoad {
  /// `file` indexes `Interpretation::files`.
  SourceRange range;
  /// Bit `d` is set where the mask took some elements of a line along axis `d`, and left others out.
  uint32_t splitAxes = 0;
};

enum class NumberLoss : uint8_t {
  None,
  /// An integer of 32 bits wrapped around.
  Wrapped,
  /// A finite number became infinite in fp16.
  Infinite,
  /// A histogram has no bin for a value.
  Uncounted,
};

/// An operation whose result did not hold what it was given, in any program.
struct LostNumber {
  /// `file` indexes `Interpretation::files`.
  SourceRange range;
  NumberLoss loss{};
};

/// The outcome of executing a kernel on the CPU. The results themselves are in the memory of the
/// arguments.
struct Interpretation {
  /// Every program ran to its end. False also when the run was stopped or could not start.
  bool completed = false;
  bool cancelled = false;
  /// Machine code executed the programs; else the interpreter did.
  bool isNative = false;
  /// Why the interpreter did although machine code was wanted: a clause such as "the kernel prints". Empty:
  /// it was not, or it executed them.
  std::string whyInterpreted = {};
  /// `unwritten` is complete.
  bool countsUnwritten = true;
  /// The first findings, by program then by order of execution.
  std::vector<InterpreterFinding> findings;
  /// All findings, also those beyond the limit of what is kept.
  uint64_t numFindings = 0;
  std::vector<InterpreterPrint> prints;
  /// The last writers of the watched elements; without those that no program wrote.
  std::vector<ElementWriter> writers;
  /// Of the arguments for which the launch asks, where there are any.
  std::vector<UnwrittenElements> unwritten;
  std::vector<MaskedOffAccess> maskedOff;
  std::vector<FilledLoad> filledLoads;
  /// Only if the run was asked for them.
  std::vector<LostNumber> lostNumbers;
  /// The places of loads with a mask and without `other`.
  std::vector<SourceRange> undefinedLoads;
  /// Arguments that take in what was read outside of an argument: 0 here, and chance on a GPU.
  std::vector<std::string> takingOutside;
  /// Nothing: no program waited for one that had not begun.
  std::optional<WaitingPrograms> waiting;
  /// Paths to which `SourceRange::file` of the findings refers.
  std::vector<std::string> files;
  InterpreterStatistics statistics;
};

} // namespace tilescope::compiler
