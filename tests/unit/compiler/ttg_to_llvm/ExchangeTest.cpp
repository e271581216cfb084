// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"

#include "compiler/layout/Encodings.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static LinearLayout blocked(std::vector<int64_t> shape, std::vector<unsigned> perThread,
                            std::vector<unsigned> threads, std::vector<unsigned> warps,
                            std::vector<unsigned> order) {
  BlockedParameters parameters{perThread, threads, warps, order};
  return blockedLayout(shape, parameters, singleBlockCluster(int(shape.size())))
      .removeZeroBases(Dim::Register);
}

static uint32_t apply(llvm::ArrayRef<uint32_t> images, uint32_t value) {
  uint32_t result = 0;
  for (size_t bit = 0; bit < images.size(); ++bit)
    if (value >> bit & 1)
      result ^= images[bit];
  return result;
}

/// The element at a place, packed.
static uint64_t element(const LinearLayout &layout, int index, int lane) {
  LinearLayout canonical = layout.canonicalOuts();
  return canonical.applyPacked(uint64_t(index) | uint64_t(lane) << canonical.inBits(Dim::Register));
}

/// Carries out the plan for one warp, as the generated code does.
static void checkShuffles(const LinearLayout &from, const LinearLayout &to) {
  ExchangePlan plan = planExchange(from, to, 4);
  REQUIRE(plan.kind == ExchangeKind::Shuffles);
  const ShufflePlan &shuffles = plan.shuffles;
  int rounds = 1 << shuffles.sentRegister.size();
  for (int lane = 0; lane < 32; ++lane)
    for (int round = 0; round < rounds; ++round) {
      int source = apply(shuffles.sourceOfLane, lane) ^ apply(shuffles.sourceOfRound, round);
      int sent = apply(shuffles.sentRegister, round) ^ apply(shuffles.senderFlip, source);
      int received = round ^ apply(shuffles.receiverFlip, lane);
      REQUIRE(element(from, sent, source) == element(to, received, lane));
    }
}

TEST_CASE("equal layouts exchange nothing", "[compiler]") {
  LinearLayout layout = blocked({32, 32}, {1, 4}, {4, 8}, {4, 1}, {1, 0});
  ExchangePlan plan = planExchange(layout, layout, 4);
  CHECK(plan.kind == ExchangeKind::Registers);
  for (int index = 0; index < layout.inSize(Dim::Register); ++index)
    CHECK(plan.registers[index] == index);
}

TEST_CASE("shuffles bring every lane the elements it needs", "[compiler]") {
  // Rows to columns in one warp: registers and lanes change places.
  checkShuffles(blocked({32, 8}, {1, 8}, {32, 1}, {1, 1}, {1, 0}),
                blocked({32, 8}, {8, 1}, {4, 8}, {1, 1}, {0, 1}));
  checkShuffles(blocked({256}, {8}, {32}, {1}, {0}), blocked({256}, {1}, {32}, {1}, {0}));
  checkShuffles(blocked({16, 16}, {1, 4}, {8, 4}, {1, 1}, {1, 0}),
                blocked({16, 16}, {2, 2}, {4, 8}, {1, 1}, {1, 0}));
  // Lanes that hold copies give theirs up.
  checkShuffles(blocked({32}, {2}, {32}, {1}, {0}), blocked({32}, {1}, {32}, {1}, {0}));
}

/// The bits of `number` that `removed` does not name, closed up.
static uint64_t closedUp(uint64_t number, uint64_t removed) {
  uint64_t result = 0;
  for (int bit = 0, next = 0; bit < 64; ++bit)
    if (!(removed >> bit & 1))
      result |= (number >> bit & 1) << next++;
  return result;
}

/// Whether each part has the same elements on both sides, and its layouts say where they are.
static void checkParts(const LinearLayout &source, const LinearLayout &destination, int numBits) {
  const ExchangeParts parts = splitExchange(source, destination, numBits);
  REQUIRE(parts.count() == 1 << numBits);
  uint64_t fromRegisters = 0, toRegisters = 0, elements = 0;
  for (const ExchangeParts::Bit &bit : parts.bits) {
    fromRegisters |= uint64_t(1) << bit.fromRegister;
    toRegisters |= bit.toRegister < 0 ? 0 : uint64_t(1) << bit.toRegister;
    elements |= uint64_t(1) << bit.element;
    CHECK((bit.toRegister < 0) != (bit.toWarp < 0));
  }
  const auto check = [&](const LinearLayout &whole, const LinearLayout &part, uint64_t removed,
                         auto numberAt) {
    const LinearLayout all = whole.canonicalOuts(), one = part.canonicalOuts();
    const int registerBits = all.inBits(Dim::Register);
    const int placeBits = registerBits + all.inBits(Dim::Lane) + all.inBits(Dim::Warp);
    for (uint64_t place = 0; place < uint64_t(1) << placeBits; ++place) {
      const uint64_t index = all.applyPacked(place);
      for (const ExchangeParts::Bit &bit : parts.bits)
        REQUIRE((index >> bit.element & 1) == numberAt(bit, place));
      REQUIRE(one.applyPacked(closedUp(place, removed)) == closedUp(index, elements));
    }
  };
  check(source, parts.from, fromRegisters, [](const ExchangeParts::Bit &bit, uint64_t place) {
    return place >> bit.fromRegister & 1;
  });
  const int firstWarp = destination.inBits(Dim::Register) + destination.inBits(Dim::Lane);
  check(destination, parts.to, toRegisters, [&](const ExchangeParts::Bit &bit, uint64_t place) {
    return place >> (bit.toWarp < 0 ? bit.toRegister : firstWarp + bit.toWarp) & 1;
  });
}

TEST_CASE("an exchange in parts moves every element in one of them", "[compiler]") {
  // Rows to columns: both sides tell the parts by their registers.
  const LinearLayout rows = blocked({64, 128}, {1, 4}, {2, 16}, {4, 1}, {1, 0});
  const LinearLayout columns = blocked({64, 128}, {4, 1}, {16, 2}, {1, 4}, {0, 1});
  for (int numBits = 0; numBits <= 2; ++numBits)
    checkParts(rows, columns, numBits);
  // All rows of a thread are other warps' rows: the receiver tells the parts by the warp.
  const LinearLayout tall = blocked({64, 32}, {1, 1}, {1, 32}, {1, 1}, {1, 0});
  const LinearLayout dealt = blocked({64, 32}, {1, 1}, {32, 1}, {2, 2}, {0, 1});
  const ExchangeParts byWarp = splitExchange(tall, dealt, 6);
  CHECK(std::ranges::any_of(byWarp.bits,
                            [](const ExchangeParts::Bit &bit) { return bit.toWarp >= 0; }));
  checkParts(tall, dealt, static_cast<int>(byWarp.bits.size()));
}

TEST_CASE("an exchange has no more parts than bits that both sides tell apart", "[compiler]") {
  // One register on each side: nothing tells parts apart.
  const LinearLayout from = blocked({32, 4}, {1, 1}, {32, 1}, {1, 4}, {1, 0});
  const LinearLayout to = blocked({32, 4}, {1, 1}, {8, 4}, {4, 1}, {1, 0});
  const ExchangeParts parts = splitExchange(from, to, 3);
  CHECK(parts.count() == 1);
  CHECK(parts.from.inSize(Dim::Register) == 1);
}

TEST_CASE("an exchange between warps goes through a bijection without bank conflicts",
          "[compiler]") {
  struct Case {
    LinearLayout from, to;
    int bytes;
  };
  const std::vector<Case> cases = {
      {blocked({64, 64}, {1, 4}, {2, 16}, {4, 1}, {1, 0}),
       blocked({64, 64}, {4, 1}, {16, 2}, {1, 4}, {0, 1}), 4},
      {blocked({128, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}),
       blocked({128, 64}, {8, 1}, {8, 4}, {1, 4}, {0, 1}), 2},
      {blocked({64, 64}, {1, 1}, {1, 32}, {4, 1}, {1, 0}),
       blocked({64, 64}, {1, 1}, {32, 1}, {1, 4}, {0, 1}), 4},
      {blocked({64, 64}, {1, 2}, {1, 32}, {4, 1}, {1, 0}),
       blocked({64, 64}, {2, 1}, {32, 1}, {1, 4}, {0, 1}), 8},
  };
  for (const Case &one : cases) {
    ExchangePlan plan = planExchange(one.from, one.to, one.bytes);
    REQUIRE(plan.kind == ExchangeKind::SharedMemory);
    REQUIRE(plan.shared.isInvertible());
    CHECK(bankConflicts(one.from, plan.shared, one.bytes) == 1);
    CHECK(bankConflicts(one.to, plan.shared, one.bytes) == 1);
  }
}

TEST_CASE("the side with more registers moves 16 bytes at a time when the other one cannot",
          "[compiler]") {
  // Each thread receives 32 of a column's elements, whose neighbors are in other lanes' registers.
  const LinearLayout rows = blocked({32, 16}, {1, 4}, {8, 4}, {4, 1}, {1, 0});
  const LinearLayout columns = blocked({32, 16}, {32, 1}, {1, 2}, {1, 4}, {1, 0});
  for (const auto &[from, to] : {std::pair(rows, columns), std::pair(columns, rows)}) {
    const ExchangePlan plan = planExchange(from, to, 4);
    REQUIRE(plan.kind == ExchangeKind::SharedMemory);
    REQUIRE(plan.shared.isInvertible());
    const LinearLayout shared = plan.shared.canonicalOuts();
    const LinearLayout received = columns.canonicalOuts();
    const std::span<const uint64_t> held = received.columns(Dim::Register);
    for (size_t bit = 0; bit < 2; ++bit)
      CHECK(std::ranges::count(held, shared.columns(Dim::Offset)[bit]) == 1);
    CHECK(bankConflicts(from, plan.shared, 4) == 1);
    CHECK(bankConflicts(to, plan.shared, 4) == 1);
  }
}

TEST_CASE("a product's halves are stored 16 bytes at a time, in rows that matrix loads hand out",
          "[compiler]") {
  const MmaParameters mma{3, {4, 1}, {16, 128, 16}};
  const LinearLayout product = mmaLayout({{64, 128}}, mma, singleBlockCluster(2));
  const LinearLayout rows = blocked({64, 128}, {1, 8}, {2, 16}, {4, 1}, {1, 0});
  for (const auto &[from, to] : {std::pair(product, rows), std::pair(rows, product)}) {
    const ExchangePlan plan = planExchange(from, to, 2);
    REQUIRE(plan.kind == ExchangeKind::SharedMemory);
    REQUIRE(plan.shared.isInvertible());
    const LinearLayout sender = from.canonicalOuts(), receiver = to.canonicalOuts();
    const LinearLayout shared = plan.shared.canonicalOuts();
    const std::vector<uint64_t> row = {receiver.columns(Dim::Register)[0],
                                       receiver.columns(Dim::Lane)[0],
                                       receiver.columns(Dim::Lane)[1]};
    const std::span<const uint64_t> held = sender.columns(Dim::Register);
    for (size_t bit = 0; bit < row.size(); ++bit) {
      CHECK(shared.columns(Dim::Offset)[bit] == row[bit]);
      CHECK(std::ranges::count(held, row[bit]) == 1);
    }
    CHECK(bankConflicts(from, plan.shared, 2) == 1);
    CHECK(bankConflicts(to, plan.shared, 2) == 1);
  }
}

TEST_CASE("conflicts of a plain row-major buffer are counted", "[compiler]") {
  LinearLayout rows = LinearLayout::identity(32, Dim::Offset, tensorDim(1)) *
                      LinearLayout::identity(32, Dim::Offset, tensorDim(0));
  // Along a row all banks differ. Down a column, lanes move 16 bytes each, eight at once: all eight
  // meet in the same banks.
  CHECK(bankConflicts(blocked({32, 32}, {1, 1}, {1, 32}, {1, 1}, {1, 0}), rows, 4) == 1);
  CHECK(bankConflicts(blocked({32, 32}, {1, 1}, {32, 1}, {1, 1}, {0, 1}), rows, 4) == 8);
}
