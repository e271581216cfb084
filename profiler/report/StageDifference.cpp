// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/StageDifference.h"

#include "compiler/support/Counted.h"
#include "compiler/support/Text.h"
#include "profiler/report/ReportData.h"

#include <algorithm>
#include <array>

namespace tilescope::profiler {

/// Without places in the source and debug information: a line more above the kernel would change
/// all of them.
static std::string withoutPlaces(std::string_view ptx) {
  std::string text;
  for (const std::string_view line : splitLines(ptx)) {
    const std::string_view word = trimmed(line);
    if (word.starts_with(".section") && word.find(".debug") != std::string_view::npos)
      break;
    if (word.starts_with(".loc") || word.starts_with(".file"))
      continue;
    text += line;
    text += '\n';
  }
  return text;
}

/// `/*0070*/ LDG.E R4, …` without the address.
static std::string withoutAddresses(std::string_view sass) {
  std::string text;
  for (std::string_view line : splitLines(sass)) {
    const size_t begin = line.find_first_not_of(" \t");
    const size_t end = line.find("*/");
    if (begin != std::string_view::npos && line.substr(begin).starts_with("/*") &&
        end != std::string_view::npos)
      line = line.substr(end + 2);
    text += line;
    text += '\n';
  }
  return text;
}

StageDifference stageDifference(std::string id, std::string title, std::string_view before,
                                std::string_view after) {
  constexpr std::array<std::string_view, 5> kNumbered{"ttir", "ttgir", "cpuir", "llir", "ptx"};
  StageDifference difference{std::move(id), std::move(title), {}};
  if (difference.id == "ptx")
    difference.diff = unifiedIrDiff(withoutPlaces(before), withoutPlaces(after));
  else if (difference.id == "sass")
    difference.diff = unifiedDiff(withoutAddresses(before), withoutAddresses(after));
  else if (std::ranges::find(kNumbered, difference.id) != kNumbered.end())
    difference.diff = unifiedIrDiff(before, after);
  else
    difference.diff = unifiedDiff(before, after);
  return difference;
}

std::vector<StageDifference> stageDifferences(const ReportKernel &before,
                                              const ReportKernel &after) {
  constexpr std::array<std::string_view, 3> kShown{"ttir", "ttgir", "ptx"};
  std::vector<StageDifference> differences;
  const auto add = [&](StageDifference difference) {
    if (!difference.isSame())
      differences.push_back(std::move(difference));
  };
  if (!before.source.empty() && !after.source.empty())
    add(stageDifference("source", "Source", before.source, after.source));
  for (const ReportStage &stage : after.stages) {
    const auto old = std::ranges::find(before.stages, stage.id, &ReportStage::id);
    if (std::ranges::find(kShown, stage.id) != kShown.end() && old != before.stages.end() &&
        !stage.text.empty() && !old->text.empty())
      add(stageDifference(stage.id, stage.title, old->text, stage.text));
  }
  return differences;
}

std::string patchText(const UnifiedDiff &diff, size_t mostLines) {
  const std::vector<std::string_view> lines = splitLines(diff.text);
  const size_t count = std::min({lines.size(), diff.lines.size(), mostLines});
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const DiffKind kind = diff.lines[i].kind;
    text += kind == DiffKind::Added ? '+' : kind == DiffKind::Removed ? '-' : ' ';
    text += lines[i];
    text += '\n';
  }
  if (count < diff.lines.size())
    text += "… " + counted(diff.lines.size() - count, "line") + " more\n";
  return text;
}

std::string differenceCount(const UnifiedDiff &diff) {
  if (diff.numAdded == 0 && diff.numRemoved == 0)
    return "the same";
  if (diff.numAdded == 0)
    return counted(diff.numRemoved, "line") + " removed";
  std::string text = counted(diff.numAdded, "line") + " added";
  return diff.numRemoved == 0 ? text : text + ", " + std::to_string(diff.numRemoved) + " removed";
}

} // namespace tilescope::profiler
