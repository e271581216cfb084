// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/AccessWords.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <numeric>
#include <tuple>

namespace tilescope::compiler::access {

std::optional<double> efficiency(const AccessFacts &facts) {
  const AccessCounts &counts = facts.counts;
  const uint64_t whole = isShared(facts.action) ? counts.wavefronts : counts.bytesFetched;
  const uint64_t part = isShared(facts.action) ? counts.minimumWavefronts : counts.bytesUsed;
  if (whole == 0)
    return std::nullopt;
  return std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<size_t> worstFirst(const std::vector<AccessFacts> &accesses) {
  const auto rank = [&](size_t index) {
    const std::optional<double> share = efficiency(accesses[index]);
    constexpr double kLineBytes = 128;
    const AccessCounts &counts = accesses[index].counts;
    const double moved = std::max(static_cast<double>(counts.bytesFetched),
                                  static_cast<double>(counts.wavefronts) * kLineBytes);
    return std::tuple(!share, share.value_or(0), -moved);
  };
  std::vector<size_t> order(accesses.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

static std::string counted(uint64_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string widthSentence(const AccessFacts &facts) {
  if (facts.elementBytes <= 0 || facts.vectorBytes <= 0)
    return "";
  if (facts.action == MemoryAction::ProductRead)
    return std::string("The tensor cores read core matrices of 8 rows by 16 bytes. ") +
           (facts.counts.wavefronts == facts.counts.minimumWavefronts
                ? "The swizzle puts the rows of each in different banks, so that one pass brings "
                  "it."
                : "Rows of one share banks, so that it takes several passes.");
  const auto elements = static_cast<uint64_t>(facts.vectorBytes / facts.elementBytes);
  std::string text = "A lane moves " + counted(static_cast<uint64_t>(facts.vectorBytes), "byte") +
                     " at once (" + counted(elements, "element") + ")";
  if (!facts.limit)
    return text + ".";
  if (facts.limit->reason == WidthReason::Widest)
    return text + ", the most that an instruction moves.";
  if (facts.limit->reason == WidthReason::Scalar)
    return "All lanes ask for the same " +
           counted(static_cast<uint64_t>(facts.vectorBytes), "byte") +
           ": the access is to one element.";
  if (facts.limit->dimension >= 0)
    text += " along dimension " + std::to_string(facts.limit->dimension);
  return text + ", not more: " + describe(*facts.limit, facts.elementBytes) + ".";
}

std::string counterSentence(const AccessFacts &facts) {
  if (facts.action == MemoryAction::ProductRead)
    return "";
  return isShared(facts.action) ? "A GPU's counter of wavefronts may be larger: it has passes lost "
                                  "to other warps, too."
                                : "Passes through L1 are not counted: how the hardware cuts a "
                                  "request into them is not "
                                  "documented.";
}

std::string accessTitle(const AccessFacts &facts) {
  std::string title(memoryActionName(facts.action));
  if (isShared(facts.action))
    return title + " for " + facts.operation;
  return title + (facts.argument.empty() ? " of several arguments" : " of " + facts.argument);
}

/// The lanes as one range; nothing where others lie between.
static std::optional<std::pair<int, int>> rangeOf(uint32_t lanes) {
  const int first = std::countr_zero(lanes), last = std::bit_width(lanes) - 1;
  const uint64_t all = (uint64_t(2) << last) - (uint64_t(1) << first);
  return all == lanes ? std::optional(std::pair(first, last)) : std::nullopt;
}

std::string lanesText(uint32_t lanes) {
  const auto range = rangeOf(lanes);
  if (!range)
    return counted(static_cast<uint64_t>(std::popcount(lanes)), "lane");
  if (range->first == range->second)
    return "lane " + std::to_string(range->first);
  return "lanes " + std::to_string(range->first) + "–" + std::to_string(range->second);
}

std::string lanesLabel(uint32_t lanes) {
  const auto range = rangeOf(lanes);
  if (!range)
    return "×" + std::to_string(std::popcount(lanes));
  if (range->first == range->second)
    return std::to_string(range->first);
  return std::to_string(range->first) + "–" + std::to_string(range->second);
}

std::string percentText(uint64_t part, uint64_t whole) {
  if (whole == 0)
    return "—";
  return std::to_string((100 * part + whole / 2) / whole) + " %";
}

std::string indexText(const std::vector<int64_t> &index) {
  std::string text;
  for (const int64_t at : index)
    text += (text.empty() ? "" : ", ") + std::to_string(at);
  return "[" + text + "]";
}

/// The argument whose memory begins nearest to the address; null without arguments.
static const RecordedArgument *argumentOf(const AccessRecord &record, int64_t address) {
  const RecordedArgument *best = nullptr;
  for (const RecordedArgument &argument : record.arguments)
    if (!best || std::abs(address - argument.address) < std::abs(address - best->address))
      best = &argument;
  return best;
}

std::string offsetText(const AccessRecord &record, int64_t address) {
  const RecordedArgument *argument = argumentOf(record, address);
  const int64_t offset = argument ? address - argument->address : address;
  // In bytes, which nobody reads as a product: fonts draw the x between digits as ×.
  if (argument)
    return argument->name + (offset < 0 ? " − " : " + ") + std::to_string(std::abs(offset)) + " B";
  char number[32];
  snprintf(number, sizeof(number), "0x%llx", static_cast<unsigned long long>(offset));
  return number;
}

std::string addressText(const AccessRecord &record, int64_t address) {
  const RecordedArgument *argument = argumentOf(record, address);
  if (!argument || argument->elementBytes <= 0 || argument->shape.empty())
    return offsetText(record, address);
  const int64_t offset = address - argument->address;
  int64_t element = offset / argument->elementBytes, count = 1;
  for (const int64_t extent : argument->shape)
    count *= extent;
  if (offset < 0 || offset % argument->elementBytes != 0 || element >= count)
    return offsetText(record, address);
  std::vector<int64_t> index(argument->shape.size());
  for (size_t dim = index.size(); dim-- > 0; element /= argument->shape[dim])
    index[dim] = element % argument->shape[dim];
  return argument->name + indexText(index);
}

} // namespace tilescope::compiler::access
