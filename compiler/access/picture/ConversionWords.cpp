// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/ConversionWords.h"

#include "compiler/access/picture/AccessWords.h"
#include "compiler/support/BytesText.h"
#include "compiler/types/TypeText.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tilescope::compiler::access {

static LayoutFacts layoutFacts(const ConversionFacts &facts, const std::string &encoding,
                               const std::vector<LayoutBases> &layout) {
  LayoutFacts result;
  result.encoding = encoding;
  result.shape = facts.shape;
  result.elementType = facts.elementType;
  result.elementBits = facts.elementBits;
  result.layout = layout;
  return result;
}

LayoutFacts layoutBefore(const ConversionFacts &facts) {
  return layoutFacts(facts, facts.from, facts.fromLayout);
}

LayoutFacts layoutBehind(const ConversionFacts &facts) {
  return layoutFacts(facts, facts.to, facts.toLayout);
}

static uint64_t wavefrontsOf(const ConversionFacts &facts) {
  uint64_t sum = 0;
  for (const ConversionAccess &access : facts.sharedAccesses)
    sum += access.wavefronts;
  return sum;
}

std::vector<size_t> dearestFirst(const std::vector<ConversionFacts> &conversions) {
  const auto rank = [&](size_t index) {
    const ConversionFacts &facts = conversions[index];
    return std::tuple(!facts.isInLoop, -static_cast<int>(facts.moves),
                      -static_cast<int64_t>(wavefrontsOf(facts)), -facts.shuffles, -facts.bytes);
  };
  std::vector<size_t> order(conversions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

/// The number behind `key = ` and `opening` in an encoding; of one digit, as dimensions and operands
/// are.
static std::string numberIn(const std::string &encoding, const std::string &key,
                            const std::string &opening = "") {
  const std::string before = key + " = " + opening;
  const size_t at = encoding.find(before);
  if (at == std::string::npos || at + before.size() >= encoding.size())
    return "";
  const char digit = encoding[at + before.size()];
  return digit >= '0' && digit <= '9' ? std::string(1, digit) : "";
}

static bool isOfMatrix(const std::string &encoding) {
  return encoding.find("nvidia_mma") != std::string::npos;
}

std::string encodingName(const std::string &encoding) {
  constexpr std::string_view kDialect = "#ttg.";
  const size_t begin = encoding.starts_with(kDialect) ? kDialect.size() : 0;
  const std::string name = encoding.substr(begin, encoding.find('<') - begin);
  if (name == "nvidia_mma")
    return "mma";
  if (name == "dot_op")
    return "factor " + numberIn(encoding, "opIdx") + (isOfMatrix(encoding) ? " of mma" : "");
  return name;
}

std::string layoutsTitle(const ConversionFacts &facts) {
  return encodingName(facts.from) + " → " + encodingName(facts.to);
}

std::string conversionTitle(const ConversionFacts &facts) {
  return blockTypeText(facts.elementType, facts.shape) + " · " + layoutsTitle(facts);
}

static std::string accessText(const ConversionAccess &access) {
  const std::string how = access.action == MemoryAction::SharedStore  ? "to write"
                          : access.action == MemoryAction::MatrixLoad ? "to read by ldmatrix"
                                                                      : "to read";
  return std::to_string(access.wavefronts) +
         (access.wavefronts == 1 ? " wavefront " : " wavefronts ") + how + " (at least " +
         std::to_string(access.minimumWavefronts) + ", " + std::to_string(access.vectorBytes) +
         " bytes a lane)";
}

std::string conversionCost(const ConversionFacts &facts) {
  switch (facts.moves) {
  case ConversionMoves::Registers:
    return "no instruction: every lane keeps its elements, under other names of registers";
  case ConversionMoves::Lanes:
    return std::to_string(facts.shuffles) + " shuffles by the warps of a program, " +
           bytesText(static_cast<uint64_t>(facts.bytes)) + " between lanes of the same warp";
  case ConversionMoves::Warps:
    break;
  }
  std::string text = bytesText(static_cast<uint64_t>(facts.bytes)) + " through shared memory";
  if (facts.parts > 1)
    text += " in " + std::to_string(facts.parts) + " parts, for lack of room";
  for (const ConversionAccess &access : facts.sharedAccesses)
    text += " · " + accessText(access);
  return text;
}

std::string shortCost(const ConversionFacts &facts) {
  switch (facts.moves) {
  case ConversionMoves::Registers:
    return "nothing";
  case ConversionMoves::Lanes:
    return std::to_string(facts.shuffles) + " shuffles";
  case ConversionMoves::Warps:
    break;
  }
  return std::to_string(wavefrontsOf(facts)) + " wavefronts";
}

std::string movesSentence(const MoveCounts &counts) {
  std::string text;
  const auto add = [&](uint64_t count, const char *words) {
    if (count == 0)
      return;
    const std::string share = percentText(count, counts.total());
    text += (text.empty() ? "" : ", ") + (share == "0 %" ? "under 1 %" : share) + " " + words;
  };
  add(counts.stays, "stay where they are");
  add(counts.registers, "change the register");
  add(counts.lanes, "come from another lane");
  add(counts.warps, "come from another warp");
  return text;
}

static std::string endText(const ConversionEnd &end) {
  if (end.operation.empty())
    return "an operation that is not known";
  std::string text = "`" + end.operation + "`";
  if (!end.range.empty() && end.range.file == 0)
    text += " in line " + std::to_string(end.range.begin.line + 1);
  return text;
}

std::string originSentence(const ConversionFacts &facts) {
  return "From the layout of " + endText(facts.source) + " to the one for " +
         endText(facts.destination) + ". " +
         (facts.pass.empty() ? "Which pass made it is not known."
                             : "Made by the pass `" + facts.pass + "`.");
}

static bool isMemory(const ConversionEnd &end) {
  return end.operation == "tt.load" || end.operation == "tt.store" ||
         end.operation.starts_with("tt.atomic") || end.operation.starts_with("tt.descriptor");
}

static bool isProduct(const ConversionEnd &end) {
  return end.operation == "tt.dot" || end.operation == "ttng.warp_group_dot";
}

/// The dimension along which neighbors are in one lane, or else in neighboring lanes: the first of a
/// blocked layout's order, for others the first that a register, then a lane steps along by one. -1:
/// none.
static int fastestDim(const std::string &encoding, const std::vector<LayoutBases> &layout) {
  if (encodingName(encoding) == "blocked")
    if (const std::string first = numberIn(encoding, "order", "["); !first.empty())
      return std::stoi(first);
  for (const char *input : {"register", "lane"})
    for (const LayoutBases &bases : layout)
      for (size_t bit = 0; bases.input == input && bit < bases.bases.size(); ++bit) {
        const std::vector<int32_t> &basis = bases.bases[bit];
        if (std::accumulate(basis.begin(), basis.end(), int64_t(0)) == 1)
          return static_cast<int>(std::ranges::find(basis, 1) - basis.begin());
      }
  return -1;
}

/// Neighbors along a dimension that a lane holds side by side.
static int64_t neighbors(const std::vector<LayoutBases> &layout, int dim) {
  int64_t count = 1;
  for (const LayoutBases &bases : layout)
    for (size_t bit = 0; bases.input == "register" && bit < bases.bases.size(); ++bit) {
      const std::vector<int32_t> &basis = bases.bases[bit];
      const bool isNext = basis[static_cast<size_t>(dim)] == count &&
                          std::accumulate(basis.begin(), basis.end(), int64_t(0)) == count;
      if (!isNext)
        return count;
      count *= 2;
    }
  return count;
}

/// Both layouts follow memory.
static std::string betweenAccesses(const ConversionFacts &facts) {
  const int before = fastestDim(facts.from, facts.fromLayout);
  const int behind = fastestDim(facts.to, facts.toLayout);
  if (before < 0 || behind < 0)
    return "";
  if (before != behind)
    return "Both layouts follow memory: " + endText(facts.source) + " runs along dimension " +
           std::to_string(before) + " of the block, " + endText(facts.destination) +
           " along dimension " + std::to_string(behind) +
           ". There is no conversion if both run along the same one.";
  const int64_t held = neighbors(facts.fromLayout, before);
  const int64_t wanted = neighbors(facts.toLayout, before);
  if (held == wanted)
    return "";
  return "Both layouts run along dimension " + std::to_string(before) + ", with " +
         std::to_string(held) + " and " + std::to_string(wanted) +
         " neighbors a lane. There is no conversion if both accesses are equally wide.";
}

/// Neighbors along a dimension that the lanes of a warp hold one behind the other.
static int64_t neighborsOfWarp(const std::vector<LayoutBases> &layout, int dim) {
  int64_t count = neighbors(layout, dim);
  for (const LayoutBases &bases : layout)
    for (size_t bit = 0; bases.input == "lane" && bit < bases.bases.size(); ++bit) {
      const std::vector<int32_t> &basis = bases.bases[bit];
      if (basis[static_cast<size_t>(dim)] == count &&
          std::accumulate(basis.begin(), basis.end(), int64_t(0)) == count)
        count *= 2;
    }
  return count;
}

/// A product's result is stored.
static std::string behindProduct(const ConversionFacts &facts) {
  const int dim = fastestDim(facts.to, facts.toLayout);
  if (dim < 0)
    return "";
  const auto bytes = [&](int64_t elements) {
    return std::to_string(std::max<int64_t>(1, elements * facts.elementBits / 8));
  };
  const int64_t held = neighbors(facts.fromLayout, dim), wanted = neighbors(facts.toLayout, dim);
  const int64_t heldByWarp = neighborsOfWarp(facts.fromLayout, dim);
  const int64_t wantedByWarp = neighborsOfWarp(facts.toLayout, dim);
  const std::string prescribed = "The matrix instruction prescribes the layout of its result. ";
  const std::string other = " in the layout for " + endText(facts.destination);
  if (wanted > held)
    return prescribed + "Its lanes hold " + bytes(held) + " bytes side by side, and " +
           bytes(wanted) + other + ": the conversion buys wider accesses.";
  if (wantedByWarp > heldByWarp)
    return prescribed + "A warp holds " + bytes(heldByWarp) + " bytes of a row at once, and " +
           bytes(wantedByWarp) + other + ": the conversion buys fewer sectors.";
  return "";
}

/// What keeps the two layouts apart.
static std::string causeOf(const ConversionFacts &facts) {
  const bool isFactor = facts.to.find("dot_op") != std::string::npos;
  if (isFactor && isOfMatrix(facts.to) && isProduct(facts.source))
    return "A product's result becomes a factor of another one. The matrix instruction prescribes "
           "both layouts.";
  if (isFactor && isMemory(facts.source))
    return "The layout of a factor is prescribed by its product, that of the load follows memory. "
           "A pipelined loop copies factors past the registers into shared memory, and reads them "
           "there as the product needs them: without a conversion.";
  if (isOfMatrix(facts.from) && isProduct(facts.source) && isMemory(facts.destination))
    return behindProduct(facts);
  if (isMemory(facts.source) && isMemory(facts.destination))
    return betweenAccesses(facts);
  return "";
}

std::string removalSentence(const ConversionFacts &facts) {
  if (facts.moves == ConversionMoves::Registers)
    return "Nothing is gained without it.";
  std::string text = causeOf(facts);
  if (text.empty())
    text = "There is no conversion if " + endText(facts.source) + " and " +
           endText(facts.destination) + " have the same layout.";
  return text + (facts.isInLoop ? " It is in a loop: every iteration pays for it."
                                : " It is outside of loops: a program pays for it once.");
}

} // namespace tilescope::compiler::access
