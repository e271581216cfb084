// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/ShiftedOffsets.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilescope::compiler {

namespace {
using Lines = std::vector<std::string_view>;

/// Lines from a label to the branch back to it.
struct LoopLines {
  size_t begin = 0, end = 0;
};

/// `mul.wide.s32 result, factor, 1 << shift;`.
struct WideProduct {
  std::string_view sign, result, factor;
  int shift = 0;
};
} // namespace

/// The text up to `end`; `rest` goes on behind it. Nothing where there is no `end`.
static std::optional<std::string_view> takeUntil(std::string_view &rest, std::string_view end) {
  rest = trimmed(rest);
  const size_t at = rest.find(end);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return taken;
}

static std::optional<WideProduct> wideProduct(std::string_view line) {
  std::string_view rest = trimmed(line);
  WideProduct product;
  for (const std::string_view sign : {"s", "u"})
    if (rest.starts_with("mul.wide." + std::string(sign) + "32"))
      product.sign = sign;
  if (product.sign.empty())
    return std::nullopt;
  rest.remove_prefix(std::string_view("mul.wide.s32").size());
  const auto result = takeUntil(rest, ","), factor = takeUntil(rest, ","),
             constant = takeUntil(rest, ";");
  unsigned value = 0;
  if (!result || !factor || !constant ||
      std::from_chars(constant->data(), constant->data() + constant->size(), value).ptr !=
          constant->data() + constant->size() ||
      !std::has_single_bit(value))
    return std::nullopt;
  product.result = *result;
  product.factor = *factor;
  product.shift = std::countr_zero(value);
  return product;
}

/// The label to which a line branches.
static std::string_view branchTarget(std::string_view line) {
  const size_t branch = line.find("bra");
  const size_t at = branch == std::string_view::npos ? branch : line.find('$', branch);
  return at == std::string_view::npos ? std::string_view()
                                      : line.substr(at, line.find(';', at) - at);
}

static bool multiplies(std::string_view line) {
  return line.find("wgmma.mma_async") != std::string_view::npos;
}

/// Loops with products that hold no smaller loop with products.
static std::vector<LoopLines> innermostProductLoops(const Lines &lines) {
  std::unordered_map<std::string_view, size_t> labels;
  std::vector<LoopLines> loops;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.starts_with('$')) {
      labels[line.substr(0, line.find(':'))] = i;
      continue;
    }
    const auto label = labels.find(branchTarget(line));
    if (label == labels.end() ||
        std::none_of(lines.begin() + label->second, lines.begin() + i, multiplies))
      continue;
    const LoopLines loop{label->second, i};
    const bool holdsOther = std::ranges::any_of(
        loops, [&](const LoopLines &other) { return loop.begin < other.begin; });
    if (!holdsOther)
      loops.push_back(loop);
  }
  return loops;
}

/// 64-bit registers that additions in the loop name.
static std::unordered_set<std::string_view> addedRegisters(const Lines &lines, LoopLines loop) {
  std::unordered_set<std::string_view> registers;
  for (size_t i = loop.begin; i <= loop.end; ++i) {
    if (!trimmed(lines[i]).starts_with("add.s64"))
      continue;
    for (size_t at = lines[i].find("%rd"); at != std::string_view::npos;
         at = lines[i].find("%rd", at + 1)) {
      const size_t end = lines[i].find_first_not_of("0123456789", at + 3);
      registers.insert(lines[i].substr(at, end - at));
    }
  }
  return registers;
}

std::string shiftLoopOffsets(std::string_view ptx) {
  if (!multiplies(ptx))
    return std::string(ptx);
  Lines lines;
  for (auto line : std::views::split(ptx, '\n'))
    lines.emplace_back(line.begin(), line.end());
  std::unordered_map<size_t, WideProduct> shifted;
  for (const LoopLines &loop : innermostProductLoops(lines)) {
    const auto used = addedRegisters(lines, loop);
    // Up to the beginning of the function.
    for (size_t i = loop.begin; i-- > 0 && lines[i] != "{";)
      if (const auto product = wideProduct(lines[i]); product && used.contains(product->result))
        shifted.emplace(i, *product);
  }
  std::string text;
  text.reserve(ptx.size() + 64 * shifted.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0)
      text += '\n';
    const auto found = shifted.find(i);
    if (found == shifted.end()) {
      text += lines[i];
      continue;
    }
    const auto &[sign, result, factor, shift] = found->second;
    text.append("\tcvt.").append(sign).append("64.").append(sign).append("32 \t");
    text.append(result).append(", ").append(factor).append(";\n\tshl.b64 \t");
    text.append(result).append(", ").append(result).append(", ");
    text.append(std::to_string(shift)).append(";");
  }
  return text;
}

} // namespace tilescope::compiler
