// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations on the arguments' memory: programs of the grid run on several threads.
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/AtomicKind.h"
#include "compiler/interpreter/AtomicRaces.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/FloatFormats.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <type_traits>

namespace tilescope::compiler::interpreter {
namespace {

/// Replaces the value in memory by function(value) in one step; returns the value before, and
/// whether it is another now.
template <typename T, typename F> std::pair<T, bool> update(std::byte *memory, F function) {
  std::atomic_ref<T> cell(*reinterpret_cast<T *>(memory));
  T before = cell.load(std::memory_order_acquire), after = function(before);
  while (!cell.compare_exchange_weak(before, after, std::memory_order_acq_rel,
                                     std::memory_order_acquire))
    after = function(before);
  return {before, std::memcmp(&before, &after, sizeof(T)) != 0};
}

template <typename T> T applyInteger(AtomicKind kind, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (kind) {
  case AtomicKind::And:
    return a & b;
  case AtomicKind::Or:
    return a | b;
  case AtomicKind::Xor:
    return a ^ b;
  case AtomicKind::Add:
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  case AtomicKind::Max:
    return std::max(a, b);
  case AtomicKind::Min:
    return std::min(a, b);
  case AtomicKind::UMax:
    return static_cast<T>(std::max(static_cast<U>(a), static_cast<U>(b)));
  case AtomicKind::UMin:
    return static_cast<T>(std::min(static_cast<U>(a), static_cast<U>(b)));
  default:
    return b;
  }
}

template <typename T> T applyFloat(AtomicKind kind, T a, T b) {
  switch (kind) {
  case AtomicKind::FAdd:
    return a + b;
  case AtomicKind::Max:
    return std::fmax(a, b);
  case AtomicKind::Min:
    return std::fmin(a, b);
  default:
    return b;
  }
}

template <typename T>
bool rmwWhole(AtomicKind kind, std::byte *memory, const std::byte *in, std::byte *out) {
  T operand;
  std::memcpy(&operand, in, sizeof(T));
  const auto [before, isChange] = update<T>(memory, [&](T value) {
    if constexpr (std::is_floating_point_v<T>)
      return applyFloat(kind, value, operand);
    else
      return applyInteger(kind, value, operand);
  });
  std::memcpy(out, &before, sizeof(T));
  return isChange;
}

template <float (*Decode)(uint16_t), uint16_t (*Encode)(float), Format F>
bool rmwSmall(AtomicKind kind, std::byte *memory, const std::byte *in, std::byte *out) {
  float operand;
  std::memcpy(&operand, in, sizeof(float));
  const auto [code, isChange] = update<uint16_t>(memory, [&](uint16_t value) {
    return Encode(roundTo<F>(applyFloat(kind, Decode(value), operand)));
  });
  float before = Decode(code);
  std::memcpy(out, &before, sizeof(float));
  return isChange;
}

/// Whether the value is another now; `out`: what it was.
bool rmw(AtomicKind kind, Element element, std::byte *memory, const std::byte *in, std::byte *out) {
  switch (element) {
  case Element::I1:
  case Element::I8:
    return rmwWhole<int8_t>(kind, memory, in, out);
  case Element::I16:
    return rmwWhole<int16_t>(kind, memory, in, out);
  case Element::I32:
    return rmwWhole<int32_t>(kind, memory, in, out);
  case Element::F16:
    return rmwSmall<decodeF16, encodeF16, kF16>(kind, memory, in, out);
  case Element::BF16:
    return rmwSmall<decodeBF16, encodeBF16, kBF16>(kind, memory, in, out);
  case Element::F32:
    return rmwWhole<float>(kind, memory, in, out);
  case Element::F64:
    return rmwWhole<double>(kind, memory, in, out);
  default:
    return rmwWhole<int64_t>(kind, memory, in, out);
  }
}

template <typename T>
bool cas(std::byte *memory, const std::byte *compared, const std::byte *in, std::byte *out) {
  T expected, desired;
  std::memcpy(&expected, compared, sizeof(T));
  std::memcpy(&desired, in, sizeof(T));
  const bool isDone = std::atomic_ref<T>(*reinterpret_cast<T *>(memory))
                          .compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                                   std::memory_order_acquire);
  std::memcpy(out, &expected, sizeof(T));
  return isDone && expected != desired;
}

uint16_t encodeSmall(Element element, const std::byte *data) {
  float value;
  std::memcpy(&value, data, sizeof(value));
  return element == Element::F16 ? encodeF16(value) : encodeBF16(value);
}

/// The same.
bool cas(Element element, std::byte *memory, const std::byte *compared, const std::byte *in,
         std::byte *out) {
  if (element == Element::F16 || element == Element::BF16) {
    uint16_t expected = encodeSmall(element, compared), desired = encodeSmall(element, in), before;
    const bool isChange = cas<uint16_t>(memory, reinterpret_cast<std::byte *>(&expected),
                                        reinterpret_cast<std::byte *>(&desired),
                                        reinterpret_cast<std::byte *>(&before));
    float value = element == Element::F16 ? decodeF16(before) : decodeBF16(before);
    std::memcpy(out, &value, sizeof(value));
    return isChange;
  }
  switch (memorySize(element)) {
  case 1:
    return cas<uint8_t>(memory, compared, in, out);
  case 2:
    return cas<uint16_t>(memory, compared, in, out);
  case 4:
    return cas<uint32_t>(memory, compared, in, out);
  default:
    return cas<uint64_t>(memory, compared, in, out);
  }
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
  Element element = frame.info(op.out).element;
  const std::byte *operands = frame.dense(op.in[1]);
  const uint64_t storedBefore = frame.bytesStored;
  forEachElement(op, frame, op.in[2], ordering,
                 [&](std::byte *memory, size_t offset, std::byte *out) {
                   return rmw(kind, element, memory, operands + offset, out);
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
  Element element = frame.info(op.out).element;
  const std::byte *compared = frame.dense(op.in[1]), *desired = frame.dense(op.in[2]);
  forEachElement(op, frame, kNoValue, ordering,
                 [&](std::byte *memory, size_t offset, std::byte *out) {
                   return cas(element, memory, compared + offset, desired + offset, out);
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
    cas(element, memory, expected, expected, before.data());
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
