// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/layout/Gf2.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilescope::compiler {

using Bits = llvm::SmallVector<uint64_t>;

/// In bytes.
static constexpr int kWidestAccess = 16;

LinearLayout distinctRegisters(mlir::RankedTensorType type) {
  return ttg::toLinearLayout(type).removeZeroBases(Dim::Register);
}

static Bits nonzero(std::span<const uint64_t> columns) {
  Bits result;
  for (uint64_t column : columns)
    if (column)
      result.push_back(column);
  return result;
}

/// Elements (as log2) that both sides hold side by side in registers, up to 16 bytes.
static Bits commonVector(const Bits &from, const Bits &to, int elementBytes) {
  size_t limit = llvm::Log2_32(std::max(16 / elementBytes, 1));
  Bits vector;
  for (uint64_t column : to)
    if (vector.size() < limit && llvm::is_contained(from, column))
      vector.push_back(column);
  return vector;
}

static gf2::Basis spanOf(llvm::ArrayRef<uint64_t> vectors) {
  gf2::Basis basis;
  for (uint64_t vector : vectors)
    basis.insert(vector);
  return basis;
}

namespace {
/// What the widest access moves, and the directions in which the lanes that access at the same time
/// step. A side that holds only a part of the vector in its registers moves that part.
struct AccessShape {
  Bits vector, fromLanes, toLanes;
};
} // namespace

/// The directions in which the lanes step that access `vectorBytes` each at the same time.
static Bits lanesAtOnce(const LinearLayout &layout, int vectorBytes) {
  const size_t count = vectorBytes <= 4 ? 5 : 5 - llvm::Log2_32(vectorBytes / 4);
  Bits lanes = nonzero(layout.columns(Dim::Lane));
  lanes.truncate(std::min(lanes.size(), count));
  return lanes;
}

static AccessShape commonAccess(const LinearLayout &from, const LinearLayout &to,
                                int elementBytes) {
  Bits vector = commonVector(nonzero(from.columns(Dim::Register)),
                             nonzero(to.columns(Dim::Register)), elementBytes);
  int vectorBytes = elementBytes << vector.size();
  return {vector, lanesAtOnce(from, vectorBytes), lanesAtOnce(to, vectorBytes)};
}

/// The shape where one side moves more than both hold side by side: the one with more registers.
/// The other one makes as many accesses as it would anyway.
static AccessShape widenedAccess(const LinearLayout &from, const LinearLayout &to,
                                 int elementBytes) {
  const AccessShape common = commonAccess(from, to, elementBytes);
  const Bits fromHeld = nonzero(from.columns(Dim::Register));
  const Bits toHeld = nonzero(to.columns(Dim::Register));
  const bool widensFrom = fromHeld.size() > toHeld.size();
  Bits vector = common.vector;
  for (uint64_t column : widensFrom ? fromHeld : toHeld)
    if (elementBytes << vector.size() < kWidestAccess && !llvm::is_contained(vector, column))
      vector.push_back(column);
  const int commonBytes = elementBytes << common.vector.size();
  const int widestBytes = elementBytes << vector.size();
  return {vector, lanesAtOnce(from, widensFrom ? widestBytes : commonBytes),
          lanesAtOnce(to, widensFrom ? commonBytes : widestBytes)};
}

/// The shape for a receiver that reads by `ldmatrix`: a row of 16 bytes is a word of each of four
/// lanes, and all of it lies in the sender's registers.
static std::optional<AccessShape> matrixAccess(const LinearLayout &from, const LinearLayout &to,
                                               int elementBytes) {
  std::span<const uint64_t> registers = to.columns(Dim::Register), lanes = to.columns(Dim::Lane);
  if (elementBytes > 4 || lanes.size() != 5 || from.inBits(Dim::Lane) != 5)
    return std::nullopt;
  const size_t wordBits = llvm::Log2_32(4 / elementBytes);
  if (registers.size() < wordBits)
    return std::nullopt;
  Bits vector(registers.begin(), registers.begin() + wordBits);
  llvm::append_range(vector, lanes.first(2));
  const Bits held = nonzero(from.columns(Dim::Register));
  if (!llvm::all_of(vector, [&](uint64_t column) { return llvm::is_contained(held, column); }))
    return std::nullopt;
  return AccessShape{vector, nonzero(from.columns(Dim::Lane).first(3)), nonzero(lanes.subspan(2))};
}

/// Addresses for accesses of this shape.
static LinearLayout addressesFor(const AccessShape &access, const LinearLayout &from,
                                 const LinearLayout &to, int elementBytes) {
  const int total = from.totalOutBits();
  const auto &[vector, fromLanes, toLanes] = access;

  Bits fromBank = vector, toBank = vector;
  llvm::append_range(fromBank, fromLanes);
  llvm::append_range(toBank, toLanes);
  int inBanks = llvm::Log2_32(128 / elementBytes);
  size_t segmentBits = std::max(0, total - inBanks);

  Bits candidates;
  for (const LinearLayout *layout : {&from, &to})
    for (Dim dim : {Dim::Warp, Dim::Register, Dim::Lane})
      llvm::append_range(candidates, nonzero(layout->columns(dim)));
  for (int bit = 0; bit < total; ++bit)
    candidates.push_back(uint64_t(1) << bit);

  Bits segment;
  gf2::Basis taken = spanOf(fromBank);
  for (uint64_t lane : toLanes)
    taken.insert(lane);
  for (uint64_t candidate : candidates)
    if (segment.size() < segmentBits && taken.insert(candidate))
      segment.push_back(candidate);
  // Steps that only one side's lanes make, paired up.
  Bits onlyFrom, onlyTo;
  gf2::Basis notTo = spanOf(toBank), notFrom = spanOf(fromBank);
  for (uint64_t lane : fromLanes)
    if (notTo.insert(lane))
      onlyFrom.push_back(lane);
  for (uint64_t lane : toLanes)
    if (notFrom.insert(lane))
      onlyTo.push_back(lane);
  gf2::Basis used = spanOf(vector);
  for (uint64_t basis : segment)
    used.insert(basis);
  for (size_t i = 0; i < std::min(onlyFrom.size(), onlyTo.size()); ++i)
    if (segment.size() < segmentBits && used.insert(onlyFrom[i] ^ onlyTo[i]))
      segment.push_back(onlyFrom[i] ^ onlyTo[i]);

  // What is left makes up the banks; where too few segment directions were free of conflicts, the
  // last of these are it.
  Bits bank;
  Bits bankCandidates = fromLanes;
  llvm::append_range(bankCandidates, toLanes);
  llvm::append_range(bankCandidates, candidates);
  for (uint64_t candidate : bankCandidates)
    if (used.insert(candidate))
      bank.push_back(candidate);

  LinearLayout::Columns columns;
  for (const Bits *part : {&vector, &std::as_const(bank), &std::as_const(segment)})
    for (uint64_t basis : *part)
      columns.push_back(basis);
  DimList ins;
  ins.push_back({Dim::Offset, static_cast<uint8_t>(total)});
  return LinearLayout(ins, from.outs(), columns);
}

/// How many elements (as log2) one access moves: offset bits that one bit of the registers, and
/// nothing else, moves.
static int vectorBitsOf(const LinearLayout &toOffset, int elementBytes) {
  int vectorBits = 0;
  auto usesBit = [&](uint64_t column, int bit) { return column >> bit & 1; };
  for (; elementBytes << vectorBits < kWidestAccess; ++vectorBits) {
    int exact = llvm::count(toOffset.columns(Dim::Register), uint64_t(1) << vectorBits);
    int all =
        llvm::count_if(toOffset.columns(), [&](uint64_t c) { return usesBit(c, vectorBits); });
    if (exact != 1 || all != 1)
      break;
  }
  return vectorBits;
}

static LinearLayout offsetsIn(const LinearLayout &shared, const LinearLayout &layout) {
  return layout.canonicalOuts().compose(shared.canonicalOuts().invert());
}

int bankConflicts(const LinearLayout &layout, const LinearLayout &shared, int elementBytes) {
  const LinearLayout toOffset = offsetsIn(shared, layout);
  int vectorBytes = elementBytes << vectorBitsOf(toOffset, elementBytes);
  int lanesAtOnce = std::min(32, vectorBytes <= 4 ? 32 : 128 / vectorBytes);
  std::map<int64_t, std::set<int64_t>> wordsOfBank;
  for (int lane = 0; lane < lanesAtOnce; ++lane) {
    int64_t offset = 0;
    for (int bit = 0; bit < toOffset.inBits(Dim::Lane); ++bit)
      if (lane >> bit & 1)
        offset ^= toOffset.columns(Dim::Lane)[bit];
    for (int64_t byte = offset * elementBytes; byte < offset * elementBytes + vectorBytes; ++byte)
      wordsOfBank[byte / 4 % 32].insert(byte / 4);
  }
  size_t worst = 1;
  for (const auto &[bank, words] : wordsOfBank)
    worst = std::max(worst, words.size());
  return worst;
}

/// How many accesses a thread makes on both sides, those with conflicts as often as they repeat.
static int64_t accesses(const LinearLayout &from, const LinearLayout &to,
                        const LinearLayout &shared, int elementBytes) {
  int64_t count = 0;
  for (const LinearLayout *layout : {&from, &to}) {
    const int vectorBits = vectorBitsOf(offsetsIn(shared, *layout), elementBytes);
    count += (layout->inSize(Dim::Register) >> vectorBits) *
             bankConflicts(*layout, shared, elementBytes);
  }
  return count;
}

LinearLayout swizzledExchange(const LinearLayout &source, const LinearLayout &destination,
                              int elementBytes) {
  const LinearLayout from = source.canonicalOuts(), to = destination.canonicalOuts();
  const AccessShape common = commonAccess(from, to, elementBytes);
  LinearLayout shared = addressesFor(common, from, to, elementBytes);
  if (elementBytes << common.vector.size() >= kWidestAccess)
    return shared;
  if (std::optional<AccessShape> matrices = matrixAccess(from, to, elementBytes))
    return addressesFor(*matrices, from, to, elementBytes);
  const AccessShape widened = widenedAccess(from, to, elementBytes);
  if (widened.vector.size() == common.vector.size())
    return shared;
  const LinearLayout wide = addressesFor(widened, from, to, elementBytes);
  // What saves less changes little, save how the assembler hands out registers.
  return 3 * accesses(from, to, wide, elementBytes) < 2 * accesses(from, to, shared, elementBytes)
             ? wide
             : shared;
}

namespace {
/// A map between places, cut into its parts, each given by images of single bits.
struct PlaceMap {
  llvm::SmallVector<uint32_t> registerToRegister, registerToLane; // A, D
  llvm::SmallVector<uint32_t> laneToRegister, laneToLane;         // B, E
  bool withinWarp = true;
};
} // namespace

static PlaceMap splitPlaces(const LinearLayout &map) {
  PlaceMap places;
  for (int bit = 0; bit < map.inBits(Dim::Register); ++bit) {
    places.registerToRegister.push_back(map.basis(Dim::Register, bit, Dim::Register));
    places.registerToLane.push_back(map.basis(Dim::Register, bit, Dim::Lane));
  }
  for (int bit = 0; bit < map.inBits(Dim::Lane); ++bit) {
    places.laneToRegister.push_back(map.basis(Dim::Lane, bit, Dim::Register));
    places.laneToLane.push_back(map.basis(Dim::Lane, bit, Dim::Lane));
  }
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    for (int bit = 0; bit < map.inBits(in); ++bit)
      for (Dim out : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}) {
        bool outer = out == Dim::Warp || out == Dim::Block;
        bool inOuter = in == Dim::Warp || in == Dim::Block;
        int64_t wanted = in == out ? int64_t(1) << bit : 0;
        if ((outer || inOuter) && map.basis(in, bit, out) != wanted)
          places.withinWarp = false;
      }
  return places;
}

static uint32_t apply(llvm::ArrayRef<uint32_t> images, uint32_t value) {
  uint32_t result = 0;
  for (auto [bit, image] : llvm::enumerate(images))
    if (value >> bit & 1)
      result ^= image;
  return result;
}

static std::optional<ShufflePlan> planShuffles(PlaceMap places, const LinearLayout &from) {
  int lanes = places.laneToLane.size(), rounds = places.registerToLane.size();
  ShufflePlan plan;
  plan.receiverFlip.assign(lanes, 0);
  // Lane bits whose images depend on earlier ones are made independent: by taking part with another
  // register, or by reading from another lane that holds the same element.
  gf2::Basis reached;
  llvm::SmallVector<int> dependent;
  for (int bit = 0; bit < lanes; ++bit)
    if (!reached.insert(places.laneToLane[bit]))
      dependent.push_back(bit);
  for (int bit : dependent) {
    bool repaired = false;
    for (int round = 0; round < rounds && !repaired; ++round)
      if (reached.insert(places.registerToLane[round])) {
        plan.receiverFlip[bit] = 1u << round;
        repaired = true;
      }
    for (int copy = 0; copy < from.inBits(Dim::Lane) && !repaired; ++copy)
      if (from.columns(Dim::Lane)[copy] == 0 && reached.insert(uint64_t(1) << copy)) {
        places.laneToLane[bit] ^= 1u << copy;
        repaired = true;
      }
    if (!repaired)
      return std::nullopt;
  }
  gf2::Basis sources;
  for (int bit = 0; bit < lanes; ++bit) {
    uint32_t source = places.laneToLane[bit] ^ apply(places.registerToLane, plan.receiverFlip[bit]);
    plan.sourceOfLane.push_back(source);
    if (!sources.insert(source))
      return std::nullopt;
  }
  for (int bit = 0; bit < lanes; ++bit) {
    uint32_t receiver = *sources.solve(uint64_t(1) << bit);
    uint32_t flip = apply(places.registerToRegister, apply(plan.receiverFlip, receiver)) ^
                    apply(places.laneToRegister, receiver);
    plan.senderFlip.push_back(flip);
  }
  for (int round = 0; round < rounds; ++round) {
    plan.sourceOfRound.push_back(places.registerToLane[round]);
    plan.sentRegister.push_back(places.registerToRegister[round] ^
                                apply(plan.senderFlip, places.registerToLane[round]));
  }
  return plan;
}

ExchangePlan planExchange(const LinearLayout &source, const LinearLayout &destination,
                          int elementBytes) {
  LinearLayout from = source.canonicalOuts(), to = destination.canonicalOuts();
  ExchangePlan plan;
  std::optional<LinearLayout> map = to.invertAndCompose(from);
  if (map) {
    PlaceMap places = splitPlaces(*map);
    bool lanesStay = places.withinWarp;
    for (auto [bit, image] : llvm::enumerate(places.laneToLane))
      lanesStay &= image == 1u << bit;
    lanesStay &= llvm::all_of(places.laneToRegister, [](uint32_t image) { return image == 0; });
    lanesStay &= llvm::all_of(places.registerToLane, [](uint32_t image) { return image == 0; });
    if (lanesStay) {
      plan.kind = ExchangeKind::Registers;
      for (int index = 0; index < to.inSize(Dim::Register); ++index)
        plan.registers.push_back(apply(places.registerToRegister, index));
      return plan;
    }
    if (places.withinWarp && elementBytes <= 8)
      if (std::optional<ShufflePlan> shuffles = planShuffles(places, from)) {
        plan.kind = ExchangeKind::Shuffles;
        plan.shuffles = *shuffles;
        return plan;
      }
  }
  plan.kind = ExchangeKind::SharedMemory;
  plan.shared = swizzledExchange(from, to, elementBytes);
  return plan;
}

} // namespace tilescope::compiler
