// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PrincipalOperation.h"

#include <algorithm>

namespace tilescope::views {

/// What prepares the operands of others, or only rearranges a value.
static constexpr std::string_view kPreparing[] = {
    "arith.constant",          "tt.splat",           "tt.broadcast",
    "tt.expand_dims",          "ttg.convert_layout", "ttg.local_alloc",
    "ttg.local_dealloc",       "ttg.async_wait",     "ttg.async_commit_group",
    "ttng.fence_async_shared",
};

/// What an expression is written for.
static constexpr std::string_view kMeant[] = {
    "tt.load",
    "tt.store",
    "tt.descriptor_load",
    "tt.descriptor_store",
    "tt.atomic_rmw",
    "tt.atomic_cas",
    "ttg.async_copy_global_to_local",
};

int principalRank(std::string_view operation) {
  if (std::ranges::find(kPreparing, operation) != std::end(kPreparing))
    return 0;
  // What waits for a product returns what the product made.
  const bool isDot = (operation.find("dot") != std::string_view::npos ||
                      operation.find("mma") != std::string_view::npos) &&
                     !operation.ends_with("_wait");
  if (isDot || std::ranges::find(kMeant, operation) != std::end(kMeant))
    return 4;
  if (operation == "ttg.local_load" || operation == "ttng.tmem_load")
    return 3;
  return operation == "ttg.memdesc_index" ? 2 : 1;
}

/// Instructions of SASS by their names in front of the first dot, of PTX by how their words begin:
/// what moves blocks between memory and a multiprocessor, and what multiplies them.
static constexpr std::string_view kMeantSass[] = {
    "LDG",     "LDGSTS",  "STG",    "ATOM",    "ATOMG",   "RED",     "REDG",
    "UTMALDG", "UTMASTG", "UBLKCP", "HMMA",    "IMMA",    "DMMA",    "QMMA",
    "HGMMA",   "IGMMA",   "QGMMA",  "UTCHMMA", "UTCQMMA", "UTCIMMA", "OMMA",
};
static constexpr std::string_view kMeantPtx[] = {
    "ld.global",
    "st.global",
    "atom.",
    "red.",
    "cp.async.ca.",
    "cp.async.cg.",
    "cp.async.bulk.tensor.",
    "cp.async.bulk.shared",
    "cp.async.bulk.global",
    "mma.sync",
    "wgmma.mma_async",
    "tcgen05.mma",
};
static constexpr std::string_view kSharedSass[] = {"LDS", "LDSM"};
static constexpr std::string_view kSharedPtx[] = {"ld.shared", "ldmatrix."};

static int rankOfWord(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('.'));
  const auto isAmong = [&](const auto &names) {
    return std::ranges::find(names, name) != std::end(names);
  };
  const auto begins = [&](const auto &names) {
    return std::ranges::any_of(names,
                               [&](std::string_view each) { return word.starts_with(each); });
  };
  if (isAmong(kMeantSass) || begins(kMeantPtx))
    return 4;
  return isAmong(kSharedSass) || begins(kSharedPtx) ? 3 : 1;
}

int instructionRank(std::string_view line) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ.0123456789";
  int rank = 1;
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_of(kLetters), line.size()));
    const size_t length = std::min(line.find_first_not_of(kLetters), line.size());
    rank = std::max(rank, rankOfWord(line.substr(0, length)));
    line.remove_prefix(length);
  }
  return rank;
}

std::string_view operationOf(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (line.starts_with('%')) {
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos)
      return {};
    line.remove_prefix(equals + 3);
  }
  if (line.starts_with('"'))
    line.remove_prefix(1);
  const std::string_view name = line.substr(
      0,
      line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ.0123456789"));
  return name.find('.') == std::string_view::npos ? std::string_view() : name;
}

static size_t indentationOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Whether the operation around a line is related as closely.
static bool isPartOfRelated(const CodeDocument &text, const std::vector<Relation> &relations,
                            int32_t line) {
  const size_t indentation = indentationOf(text.line(line));
  for (int32_t above = line - 1; above >= 0; --above) {
    const std::string_view other = text.line(above);
    if (!operationOf(other).empty() && indentationOf(other) < indentation)
      return relations[static_cast<size_t>(above)] == relations[static_cast<size_t>(line)];
  }
  return false;
}

std::vector<int32_t> principalLines(const CodeDocument &text,
                                    const std::vector<Relation> &relations) {
  const auto closest = std::ranges::max_element(relations);
  std::vector<int32_t> lines;
  if (closest == relations.end() || *closest == Relation::None)
    return lines;
  int highest = -1;
  const auto end = std::min(static_cast<int32_t>(relations.size()), text.numLines());
  for (int32_t line = 0; line < end; ++line) {
    if (relations[static_cast<size_t>(line)] != *closest)
      continue;
    const std::string_view operation = operationOf(text.line(line));
    const int rank = operation.empty() ? -1 : principalRank(operation);
    if (rank < std::max(highest, 0) || isPartOfRelated(text, relations, line))
      continue;
    if (rank > highest)
      lines.clear();
    highest = rank;
    lines.push_back(line);
  }
  return lines;
}

std::vector<int32_t> principalInstructions(const CodeDocument &text,
                                           const std::vector<Relation> &relations) {
  const auto closest = std::ranges::max_element(relations);
  std::vector<int32_t> lines;
  if (closest == relations.end() || *closest == Relation::None)
    return lines;
  int highest = 0;
  const auto end = std::min(static_cast<int32_t>(relations.size()), text.numLines());
  for (int32_t line = 0; line < end; ++line) {
    if (relations[static_cast<size_t>(line)] != *closest)
      continue;
    const int rank = instructionRank(text.line(line));
    if (rank > highest)
      lines.clear();
    highest = std::max(highest, rank);
    if (rank == highest)
      lines.push_back(line);
  }
  return lines;
}

std::vector<int32_t> linesToReveal(const CodeDocument &text, TextLanguage language,
                                   const std::vector<Relation> &relations) {
  std::vector<int32_t> lines;
  if (language == TextLanguage::Mlir) {
    lines = principalLines(text, relations);
    std::ranges::reverse(lines);
  }
  if (language == TextLanguage::Llvm || language == TextLanguage::Ptx ||
      language == TextLanguage::Sass)
    lines = principalInstructions(text, relations);
  if (!lines.empty())
    return lines;
  for (const Relation wanted : {Relation::SameRange, Relation::SameLine})
    for (size_t line = 0; line < relations.size(); ++line)
      if (relations[line] == wanted &&
          (lines.empty() || relations[static_cast<size_t>(lines.front())] == wanted))
        lines.push_back(static_cast<int32_t>(line));
  return lines;
}

} // namespace tilescope::views
