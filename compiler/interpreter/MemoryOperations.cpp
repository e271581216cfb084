// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads and stores. Addresses in their short form are accessed row by row without looking at single
// elements, when the whole access lies inside one argument.
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/BySize.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/Races.h"
#include "compiler/interpreter/ReadRaces.h"
#include "compiler/interpreter/StoreConflicts.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::interpreter {
namespace {

enum Operand { kPointer, kStored, kMask, kOther };

/// The part of a block that an access touches: lower[d] <= index[d] < upper[d].
struct Region {
  std::array<int64_t, kMaxRank> lower{}, upper{};
  bool isEmpty = false;
  bool isWhole = true;
};

/// The touched part, if the mask has a short form.
std::optional<Region> getRegion(const Instruction &op, Frame &frame, const Shape &shape) {
  Region region;
  std::copy_n(shape.extent.begin(), shape.rank, region.upper.begin());
  if (op.in[kMask] == kNoValue)
    return region;
  const Slot &mask = frame.value(op.in[kMask]);
  switch (mask.form) {
  case Form::Uniform:
    region.isEmpty = !mask.get<uint8_t>();
    region.isWhole = !region.isEmpty;
    return region;
  case Form::Box:
    region.lower = mask.lower();
    region.upper = mask.upper;
    region.isWhole = false;
    return region;
  default:
    return std::nullopt;
  }
}

/// An access whose addresses are base + sum of step[d] * index[d].
struct AffineAccess {
  const Shape &shape;
  const Region &region;
  std::array<int64_t, kMaxRank> step;
  size_t elementSize;
};

/// The memory of a store, and whose writes to it are recorded.
struct RowWriter {
  WriteFunction write;
  RaceCheck &races;

  void operator()(std::byte *memory, int64_t stride, const std::byte *in, bool isDense,
                  size_t count, size_t position) const {
    const WrittenRow row{memory, stride, in, isDense, count, write, position};
    races.noteRow(row);
    write(memory, stride, in, isDense, count);
    races.noteWritten(row);
  }
};

/// Lowest and highest touched address.
std::pair<int64_t, int64_t> getTouched(int64_t base, const Slot &pointer, const Region &region,
                                       int rank) {
  int64_t low = base, high = base;
  if (pointer.form == Form::Uniform)
    return {low, high};
  for (int d = 0; d < rank; ++d) {
    int64_t first = pointer.step[d] * region.lower[d],
            last = pointer.step[d] * (region.upper[d] - 1);
    low += std::min(first, last);
    high += std::max(first, last);
  }
  return {low, high};
}

void readRows(const AffineAccess &access, ReadFunction read, std::byte *out,
              const std::byte *memory, int dimension) {
  int64_t low = access.region.lower[dimension], high = access.region.upper[dimension];
  int64_t inner = 1;
  for (int d = dimension + 1; d < access.shape.rank; ++d)
    inner *= access.shape.extent[d];
  if (dimension == access.shape.rank - 1) {
    read(out + low * static_cast<int64_t>(access.elementSize),
         memory + low * access.step[dimension], access.step[dimension],
         static_cast<size_t>(high - low));
    return;
  }
  for (int64_t i = low; i < high; ++i)
    readRows(access, read, out + i * inner * static_cast<int64_t>(access.elementSize),
             memory + i * access.step[dimension], dimension + 1);
}

/// Rows about to be read. `position`: of the first element that the rest of the dimensions has.
void noteReads(const AffineAccess &access, ReadCheck &races, const std::byte *memory, int dimension,
               int64_t position = 0) {
  const int64_t low = access.region.lower[dimension], high = access.region.upper[dimension];
  const int64_t step = access.step[dimension];
  position *= access.shape.extent[dimension];
  if (dimension == access.shape.rank - 1)
    return races.note(memory + low * step, step, static_cast<size_t>(high - low),
                      static_cast<size_t>(position + low));
  for (int64_t i = low; i < high; ++i)
    noteReads(access, races, memory + i * step, dimension + 1, position + i);
}

void writeRows(const AffineAccess &access, const RowWriter &write, const std::byte *in,
               bool isDense, std::byte *memory, int dimension, int64_t position = 0) {
  int64_t low = access.region.lower[dimension], high = access.region.upper[dimension];
  int64_t size = isDense ? static_cast<int64_t>(access.elementSize) : 0;
  position *= access.shape.extent[dimension];
  if (dimension == access.shape.rank - 1) {
    write(memory + low * access.step[dimension], access.step[dimension], in + low * size, isDense,
          static_cast<size_t>(high - low), static_cast<size_t>(position + low));
    return;
  }
  int64_t inner = 1;
  for (int d = dimension + 1; d < access.shape.rank; ++d)
    inner *= access.shape.extent[d];
  for (int64_t i = low; i < high; ++i)
    writeRows(access, write, in + i * inner * size, isDense, memory + i * access.step[dimension],
              dimension + 1, position + i);
}

/// What masked-off elements become.
void fillOther(const Instruction &op, Frame &frame, std::byte *out) {
  size_t size = storageSize(frame.info(op.out).element), count = frame.count(op.out);
  if (op.in[kOther] == kNoValue) {
    std::memset(out, 0, size * count);
    return;
  }
  const Slot &other = frame.value(op.in[kOther]);
  if (other.form != Form::Uniform) {
    std::memcpy(out, frame.dense(op.in[kOther]), size * count);
    return;
  }
  bySize(size,
         [&]<typename T>(T) { std::fill_n(reinterpret_cast<T *>(out), count, other.get<T>()); });
}

/// The axes along whose lines a mask takes some elements and leaves others out.
uint32_t splitAxes(const Region &region, const Shape &shape) {
  uint32_t axes = 0;
  for (int d = 0; d < shape.rank && !region.isEmpty; ++d)
    if (region.upper[d] - region.lower[d] < shape.extent[d])
      axes |= 1u << d;
  return axes;
}

uint32_t splitAxes(const uint8_t *mask, size_t count, const Shape &shape) {
  uint32_t axes = 0;
  size_t inner = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    const size_t line = inner * static_cast<size_t>(shape.extent[d]);
    for (size_t i = 0; i + inner < count; ++i)
      if (mask[i] != mask[i + inner] && i / line == (i + inner) / line) {
        axes |= 1u << d;
        break;
      }
    inner = line;
  }
  return axes;
}

/// The mask leaves elements out, so that there `other` is seen.
void noteFilled(const Instruction &op, const Frame &frame, uint32_t axes) {
  if (op.in[kOther] != kNoValue)
    frame.execution().filledLoads.note(op.location, axes);
}

bool isShort(const Slot &value) {
  return value.form == Form::Affine || value.form == Form::Uniform;
}

/// A volatile load learns what atomic operations of others have told at its place.
void acquireAt(Frame &frame, int64_t address, const std::byte *memory) {
  frame.notePoll();
  ReleaseClocks *releases = frame.execution().releases.get();
  if (releases && findPlace(frame.execution(), address).area->isAwaited)
    ReleaseClocks::Access(*releases, memory).acquire(frame);
}

/// Whether other programs may change what is loaded, so that it may be waited for.
bool mayChange(const Frame &frame, int64_t address) {
  const MemoryArea *area = findPlace(frame.execution(), address).area;
  return area && area->isShared;
}

void loadScalar(const Instruction &op, Frame &frame, ReadFunction read) {
  Element element = frame.info(op.out).element;
  bool isOn = op.in[kMask] == kNoValue || frame.scalar<uint8_t>(op.in[kMask]);
  int64_t address = frame.scalar<int64_t>(op.in[kPointer]);
  std::array<std::byte, 8> result{};
  if (op.in[kOther] != kNoValue)
    result = frame.value(op.in[kOther]).scalar;
  if (isOn) {
    Checker checker(op, frame, AccessKind::Load, element);
    if (const std::byte *memory = checker.at(address)) {
      const bool isAwaited = op.number[0] != 0;
      if (ReadCheck races(op, frame, element, address); races.isRecorded() && !isAwaited)
        races.note(memory, 0, 1, 0);
      read(result.data(), memory, static_cast<int64_t>(memorySize(element)), 1);
      if (isAwaited)
        acquireAt(frame, address, memory);
      else if (mayChange(frame, address))
        frame.notePoll(true);
      frame.bytesLoaded += memorySize(element);
    }
  }
  frame.makeUniform(op.out).scalar = result;
}

size_t countTouched(const Region &region, int rank) {
  size_t count = 1;
  for (int d = 0; d < rank; ++d)
    count *= static_cast<size_t>(region.upper[d] - region.lower[d]);
  return region.isEmpty ? 0 : count;
}

/// The fast path; false if single elements must be checked.
bool loadAffine(const Instruction &op, Frame &frame, ReadFunction read) {
  const Slot &pointer = frame.value(op.in[kPointer]);
  const ValueInfo &info = frame.info(op.out);
  if (!isShort(pointer))
    return false;
  std::optional<Region> region = getRegion(op, frame, info.shape);
  if (!region)
    return false;
  if (countTouched(*region, info.shape.rank) < frame.count(op.out))
    noteFilled(op, frame, splitAxes(*region, info.shape));
  if (region->isEmpty) {
    fillOther(op, frame, frame.makeDense(op.out));
    return true;
  }
  Checker checker(op, frame, AccessKind::Load, info.element);
  auto [low, high] = getTouched(pointer.base(), pointer, *region, info.shape.rank);
  const std::byte *memory = checker.range(low, high);
  if (!memory)
    return false;
  AffineAccess access{info.shape, *region,
                      pointer.form == Form::Affine ? pointer.step : decltype(pointer.step){},
                      storageSize(info.element)};
  std::byte *out = frame.makeDense(op.out);
  if (!region->isWhole)
    fillOther(op, frame, out);
  if (ReadCheck races(op, frame, info.element, low); races.isRecorded())
    noteReads(access, races, memory - (low - pointer.base()), 0);
  readRows(access, read, out, memory - (low - pointer.base()), 0);
  frame.bytesLoaded += countTouched(*region, info.shape.rank) * memorySize(info.element);
  return true;
}

/// Whether two elements of the region may go to one address.
bool mayOverlap(const Slot &pointer, const Region &region, const Shape &shape) {
  std::array<int64_t, kMaxRank> steps{}, extents{};
  for (int d = 0; d < shape.rank; ++d) {
    steps[d] = pointer.form == Form::Affine ? pointer.step[d] : 0;
    extents[d] = region.upper[d] - region.lower[d];
  }
  const auto rank = static_cast<size_t>(shape.rank);
  return interpreter::mayOverlap({steps.data(), rank}, {extents.data(), rank});
}

bool storeAffine(const Instruction &op, Frame &frame, WriteFunction write) {
  const Slot &pointer = frame.value(op.in[kPointer]);
  const ValueInfo &info = frame.info(op.in[kStored]);
  if (!isShort(pointer))
    return false;
  std::optional<Region> region = getRegion(op, frame, info.shape);
  if (!region)
    return false;
  if (region->isEmpty)
    return true;
  if (frame.value(op.in[kStored]).form != Form::Uniform && mayOverlap(pointer, *region, info.shape))
    return false;
  Checker checker(op, frame, AccessKind::Store, info.element);
  auto [low, high] = getTouched(pointer.base(), pointer, *region, info.shape.rank);
  std::byte *memory = checker.range(low, high);
  if (!memory)
    return false;
  const Slot &stored = frame.value(op.in[kStored]);
  bool isDense = stored.form != Form::Uniform;
  const std::byte *in = isDense ? frame.dense(op.in[kStored]) : stored.scalar.data();
  AffineAccess access{info.shape, *region,
                      pointer.form == Form::Affine ? pointer.step : decltype(pointer.step){},
                      storageSize(info.element)};
  RaceCheck races(op, frame, info.element, low);
  writeRows(access, {write, races}, in, isDense, memory - (low - pointer.base()), 0);
  frame.bytesStored += countTouched(*region, info.shape.rank) * memorySize(info.element);
  return true;
}

void load(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.out);
  const bool isAwaited = op.number[0] != 0;
  auto read = reinterpret_cast<ReadFunction>(op.function);
  if (info.shape.rank == 0)
    return loadScalar(op, frame, read);
  if (!isAwaited && loadAffine(op, frame, read))
    return;
  size_t count = frame.count(op.out), size = storageSize(info.element),
         bytes = memorySize(info.element);
  const int64_t *addresses = frame.dense<int64_t>(op.in[kPointer]);
  const uint8_t *mask = op.in[kMask] == kNoValue ? nullptr : frame.dense<uint8_t>(op.in[kMask]);
  std::byte *out = frame.makeDense(op.out);
  fillOther(op, frame, out);
  if (mask && std::find(mask, mask + count, uint8_t{0}) != mask + count)
    noteFilled(op, frame, op.in[kOther] == kNoValue ? 0 : splitAxes(mask, count, info.shape));
  Checker checker(op, frame, AccessKind::Load, info.element);
  ReadCheck races(op, frame, info.element, count ? addresses[0] : 0);
  bool isPlain = size == bytes && info.element != Element::I1;
  bySize(size, [&]<typename T>(T) {
    for (size_t i = 0; i < count; ++i) {
      if (mask && !mask[i])
        continue;
      const std::byte *memory = checker.at(addresses[i]);
      if (!memory)
        continue;
      if (races.isRecorded() && !isAwaited)
        races.note(memory, 0, 1, i);
      if (isPlain)
        std::memcpy(out + i * sizeof(T), memory, sizeof(T));
      else
        read(out + i * sizeof(T), memory, static_cast<int64_t>(bytes), 1);
      if (isAwaited)
        acquireAt(frame, addresses[i], memory);
      frame.bytesLoaded += bytes;
    }
  });
}

} // namespace

void runLoad(const Instruction &op, Frame &frame) {
  const bool isAwaited = op.number[0] != 0;
  if (isAwaited && frame.givesWay())
    return;
  if (isAwaited)
    frame.noteLook(true);
  const uint64_t before = frame.bytesLoaded;
  load(op, frame);
  if (op.in[kMask] != kNoValue)
    noteOutcome(op, frame, op.in[kPointer], frame.execution().reads, frame.bytesLoaded != before);
}

static void store(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.in[kStored]);
  auto write = reinterpret_cast<WriteFunction>(op.function);
  size_t bytes = memorySize(info.element), size = storageSize(info.element);
  if (info.shape.rank == 0) {
    if (op.in[kMask] != kNoValue && !frame.scalar<uint8_t>(op.in[kMask]))
      return;
    Checker checker(op, frame, AccessKind::Store, info.element);
    int64_t address = frame.scalar<int64_t>(op.in[kPointer]);
    if (std::byte *memory = checker.at(address)) {
      RaceCheck races(op, frame, info.element, address);
      RowWriter{write, races}(memory, static_cast<int64_t>(bytes),
                              frame.value(op.in[kStored]).scalar.data(), true, 1, 0);
      frame.bytesStored += bytes;
    }
    return;
  }
  if (storeAffine(op, frame, write))
    return;
  size_t count = frame.count(op.in[kStored]);
  const int64_t *addresses = frame.dense<int64_t>(op.in[kPointer]);
  const uint8_t *mask = op.in[kMask] == kNoValue ? nullptr : frame.dense<uint8_t>(op.in[kMask]);
  const std::byte *in = frame.dense(op.in[kStored]);
  Checker checker(op, frame, AccessKind::Store, info.element);
  RaceCheck races(op, frame, info.element, count ? addresses[0] : 0);
  if (reportConflict(op, frame,
                     {addresses, mask, in, info.shape, info.element, write, op.number[0] != 0}))
    races.recordOnly();
  for (size_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    if (std::byte *memory = checker.at(addresses[i])) {
      RowWriter{write, races}(memory, static_cast<int64_t>(bytes), in + i * size, true, 1, i);
      frame.bytesStored += bytes;
    }
  }
}

void runStore(const Instruction &op, Frame &frame) {
  frame.noteChange();
  const uint64_t before = frame.bytesStored;
  store(op, frame);
  noteOutcome(op, frame, op.in[kPointer], frame.execution().writes, frame.bytesStored != before);
}

} // namespace tilescope::compiler::interpreter
