// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations on the arguments' memory: programs of the grid run on several threads.
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/AtomicOrder.h"
#include "compiler/interpreter/AtomicRaces.h"
#include "compiler/interpreter/BySize.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/AtomicFunctions.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

namespace tilescope::compiler::interpreter {
namespace {

/// An element as blocks hold it.
using Held = std::array<std::byte, 8>;

/// How an element is read and written, where memory does not have it as blocks do.
struct Cell {
  explicit Cell(Element element) : size(memorySize(element)) {
    if (element == Element::I1 || isSmallFloat(element)) {
      read = findRead(element);
      write = findWrite(element);
    }
  }
  template <typename Word> void decode(std::byte *held, const Word &word) const {
    const auto *bytes = reinterpret_cast<const std::byte *>(&word);
    read ? read(held, bytes, sizeof word, 1) : void(std::memcpy(held, bytes, sizeof word));
  }
  template <typename Word> void encode(Word &word, const std::byte *held) const {
    auto *bytes = reinterpret_cast<std::byte *>(&word);
    write ? write(bytes, sizeof word, held, true, 1) : void(std::memcpy(bytes, held, sizeof word));
  }

  size_t size;
  ReadFunction read = nullptr;
  WriteFunction write = nullptr;
};

/// Replaces the value in memory by what the function makes of it, in one step. `out`: what it was. Whether it is
/// another now.
bool update(ElementwiseFunction function, const Cell &cell, std::byte *memory, const std::byte *in,
            std::byte *out) {
  return bySize(cell.size, [&]<typename Word>(Word) {
    alignas(8) Held before, after;
    const std::byte *const operands[] = {before.data(), in};
    std::atomic_ref<Word> place(*reinterpret_cast<Word *>(memory));
    Word old = place.load(std::memory_order_acquire), next;
    do {
      cell.decode(before.data(), old);
      function(after.data(), operands, 3, 1);
      cell.encode(next, after.data());
    } while (!place.compare_exchange_weak(old, next, std::memory_order_acq_rel,
                                          std::memory_order_acquire));
    cell.decode(out, old);
    return old != next;
  });
}

/// The same; bits are compared, so that 0.0 is not -0.0, and NaN is itself.
bool compareAndSwap(const Cell &cell, std::byte *memory, const std::byte *compared,
                    const std::byte *in, std::byte *out) {
  return bySize(cell.size, [&]<typename Word>(Word) {
    Word expected, desired;
    cell.encode(expected, compared);
    cell.encode(desired, in);
    const bool isDone = std::atomic_ref<Word>(*reinterpret_cast<Word *>(memory))
                            .compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                                     std::memory_order_acquire);
    cell.decode(out, expected);
    return isDone && expected != desired;
  });
}

/// How an operation orders its program, and its accesses are noted.
struct Ordering {
  bool acquires = false;
  bool releases = false;
  bool isAwaited = false;
  bool addsUp = false;
  bool readsData = false;
  /// One that fails only reads.
  bool isComparison = false;
};

/// Does access(), which tells of a change, to one element, and notes it.
template <typename F>
void accessElement(const Instruction &op, Frame &frame, int64_t address, size_t sizeBytes,
                   const std::byte *memory, const Ordering &ordering, F access) {
  const Place place = findPlace(frame.execution(), address);
  const MemoryArea &area = *place.area;
  std::optional<ReleaseClocks::Access> clock;
  if (area.isAwaited && frame.execution().releases && (ordering.acquires || ordering.releases))
    clock.emplace(*frame.execution().releases, memory);
  const bool isChange = access();
  if (!isChange && ordering.readsData && area.accesses && area.atomics && !frame.isTakenAsOrdered())
    noteAtomicRead(op, frame, area, place.offset, sizeBytes);
  if (clock && ordering.acquires)
    clock->acquire(frame);
  noteOtherwise(area, place.offset, sizeBytes);
  frame.noteWatched(op, area, place.offset, 0, 1, sizeBytes);
  if (isChange)
    frame.noteChange();
  else if (ordering.isAwaited)
    frame.notePoll();
  if (area.scopes && (isChange || !ordering.isComparison) && !frame.isTakenAsOrdered())
    noteScope(op, frame, area, place.offset, sizeBytes);
  if (isChange && area.atomics && !frame.isTakenAsOrdered())
    noteUpdate(op, frame, area, place.offset, sizeBytes, ordering.addsUp);
  if (clock && ordering.releases)
    clock->release(frame);
}

/// Calls access(memory, element index, out), which tells of changes, for each element that is on; the
/// rest of the result is zero.
template <typename F>
void forEachElement(const Instruction &op, Frame &frame, uint32_t mask, const Ordering &ordering,
                    F access) {
  const ValueInfo &info = frame.info(op.out);
  size_t count = frame.count(op.out), size = storageSize(info.element);
  bool isScalar = info.shape.rank == 0;
  const int64_t *addresses = frame.dense<int64_t>(op.in[0]);
  const uint8_t *on = mask == kNoValue ? nullptr : frame.dense<uint8_t>(mask);
  std::byte *out = isScalar ? frame.makeUniform(op.out).scalar.data() : frame.makeDense(op.out);
  std::memset(out, 0, size * count);
  Checker checker(op, frame, AccessKind::Atomic, info.element);
  for (size_t i = 0; i < count; ++i)
    if (!on || on[i])
      if (std::byte *memory = checker.at(addresses[i])) {
        accessElement(op, frame, addresses[i], memorySize(info.element), memory, ordering,
                      [&] { return access(memory, i * size, out + i * size); });
        frame.bytesLoaded += memorySize(info.element);
        frame.bytesStored += memorySize(info.element);
      }
}

/// Whether the program gives way before an operation, where that is on what programs look at.
bool givesWay(const Instruction &op, Frame &frame, uint32_t mask) {
  if (frame.mostTurns == 0)
    return false;
  const int64_t *addresses = frame.dense<int64_t>(op.in[0]);
  const uint8_t *on = mask == kNoValue ? nullptr : frame.dense<uint8_t>(mask);
  const size_t count = frame.count(op.in[0]);
  const size_t first = on ? static_cast<size_t>(std::find(on, on + count, 1) - on) : 0;
  if (first == count)
    return false;
  const MemoryArea *area = findPlace(frame.execution(), addresses[first]).area;
  return area && area->isLookedAt && frame.givesWay();
}

} // namespace

/// What the translation says about the operation's order.
static Ordering orderingOf(const Instruction &op) {
  return {(op.number[1] & kAcquires) != 0, (op.number[1] & kReleases) != 0,
          (op.number[1] & kAwaited) != 0, false, (op.number[1] & kReadsData) != 0};
}

void runAtomicRmw(const Instruction &op, Frame &frame) {
  if (givesWay(op, frame, op.in[2]))
    return;
  auto kind = static_cast<AtomicKind>(op.number[0]);
  Ordering ordering = orderingOf(op);
  ordering.addsUp = kind == AtomicKind::Add || kind == AtomicKind::FAdd || kind == AtomicKind::Xor;
  const auto function = reinterpret_cast<ElementwiseFunction>(op.function);
  const Cell cell(frame.info(op.out).element);
  const std::byte *operands = frame.dense(op.in[1]);
  const uint64_t storedBefore = frame.bytesStored;
  forEachElement(op, frame, op.in[2], ordering,
                 [&](std::byte *memory, size_t offset, std::byte *out) {
                   return update(function, cell, memory, operands + offset, out);
                 });
  noteOutcome(op, frame, op.in[0], frame.execution().writes, frame.bytesStored != storedBefore);
  if (ordering.isAwaited)
    frame.noteLook(ordering.acquires);
}

void runAtomicCas(const Instruction &op, Frame &frame) {
  if (givesWay(op, frame, kNoValue))
    return;
  Ordering ordering = orderingOf(op);
  ordering.isComparison = true;
  const Cell cell(frame.info(op.out).element);
  const std::byte *compared = frame.dense(op.in[1]), *desired = frame.dense(op.in[2]);
  forEachElement(
      op, frame, kNoValue, ordering, [&](std::byte *memory, size_t offset, std::byte *out) {
        const bool isTaken = compareAndSwap(cell, memory, compared + offset, desired + offset, out);
        if (isTaken && ordering.isAwaited && frame.info(op.out).shape.rank == 0)
          frame.execution().lockHolders.note(
              frame.scalar<int64_t>(op.in[0]),
              {frame.programId(), frame.programNumber(), op.location});
        return isTaken;
      });
  if (ordering.isAwaited)
    frame.noteLook(ordering.acquires);
}

/// Looks for the value that is awaited, once.
static bool isSeen(const Instruction &op, Frame &frame, std::byte *memory) {
  const Element element = frame.info(op.in[1]).element;
  std::array<std::byte, 8> before{};
  const std::byte *expected = frame.value(op.in[1]).scalar.data();
  Ordering ordering = orderingOf(op);
  ordering.isComparison = true;
  const auto look = [&] {
    compareAndSwap(Cell(element), memory, expected, expected, before.data());
    return false;
  };
  accessElement(op, frame, frame.scalar<int64_t>(op.in[0]), memorySize(element), memory, ordering,
                look);
  return std::memcmp(before.data(), expected, storageSize(element)) == 0;
}

// Where the program may be set aside, others run meanwhile; else those on other threads.
void runAtomicPoll(const Instruction &op, Frame &frame) {
  if (givesWay(op, frame, kNoValue))
    return;
  const ValueInfo &info = frame.info(op.in[1]);
  bool hasTimeout = op.in[2] != kNoValue;
  auto timeout = hasTimeout ? std::chrono::nanoseconds(frame.scalar<int64_t>(op.in[2]))
                            : frame.execution().maxProgramDuration;
  if (!frame.waitsSince)
    frame.waitsSince = std::chrono::steady_clock::now();
  bool seen = false;
  std::byte *memory = nullptr;
  {
    Checker checker(op, frame, AccessKind::Atomic, info.element);
    memory = checker.at(frame.scalar<int64_t>(op.in[0]));
  }
  for (uint32_t i = 0; memory && !frame.execution().stop.stop_requested(); ++i) {
    seen = isSeen(op, frame, memory);
    const bool isLate =
        timeout.count() != 0 && std::chrono::steady_clock::now() - *frame.waitsSince > timeout;
    if (seen || (isLate && (hasTimeout || frame.patience == 0)))
      break;
    if (frame.patience != 0 && i >= frame.patience)
      return frame.park(frame.next() - 1);
    std::this_thread::yield();
  }
  frame.waitsSince.reset();
  frame.noteLook(orderingOf(op).acquires);
  if (memory && !seen && !hasTimeout) {
    InterpreterFinding finding;
    finding.kind = InterpreterFindingKind::StepLimit;
    finding.message = "the awaited value never arrives: no running program writes it";
    frame.report(op, std::move(finding));
    frame.allCompleted = false;
    frame.stop();
  }
  frame.makeUniform(op.out).set<uint8_t>(seen);
}

} // namespace tilescope::compiler::interpreter
