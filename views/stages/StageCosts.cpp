// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/StageCosts.h"

#include "views/stages/CostLines.h"
#include "views/stages/StageFacts.h"

#include <QCoreApplication>

namespace tilescope::views {

using compiler::StageId;

static QString tr(const char *text) { return QCoreApplication::translate("StageCosts", text); }

double StageCosts::tensorShare() const {
  return tensorMultiplyAdds > 0 ? tensorMultiplyAdds / (tensorMultiplyAdds + otherMultiplyAdds)
                                : -1;
}

// Blocks: TTIR and TTGIR
// ----------------------------------------------------------------------------

static int64_t bitsOf(std::string_view element) {
  if (element.starts_with("bf16"))
    return 16;
  const size_t digit = element.find_first_of("0123456789");
  return digit == std::string_view::npos ? 0 : leadingNumber(element.substr(digit));
}

/// Of `!ttg.memdesc<3x64x32xf16, …>`.
static int64_t memdescBytes(std::string_view line) {
  static constexpr std::string_view kType = "!ttg.memdesc<";
  const size_t begin = line.rfind(kType);
  if (begin == std::string_view::npos)
    return 0;
  std::string_view type = line.substr(begin + kType.size());
  int64_t elements = 1;
  for (size_t cross = type.find('x'); cross != std::string_view::npos && cross > 0 &&
                                      type.find_first_not_of("0123456789") == cross;
       cross = type.find('x')) {
    elements *= leadingNumber(type);
    type.remove_prefix(cross + 1);
  }
  return elements * bitsOf(type.substr(0, type.find_first_of(",>"))) / 8;
}

static bool isMatrixLayout(std::string_view line, const std::vector<std::string_view> &layouts) {
  return std::ranges::any_of(layouts, [&](std::string_view name) { return has(line, name); });
}

/// Of operations on blocks, in the text of TTIR or TTGIR.
static StageCosts countBlockCosts(std::string_view text) {
  StageCosts costs;
  // Indentations of the loops around a line.
  std::vector<size_t> loops;
  // Names of the layouts of tensor cores.
  std::vector<std::string_view> matrixLayouts;
  eachLine(text, [&](std::string_view line) {
    const size_t indent = indentOf(line);
    while (!loops.empty() && indent <= loops.back())
      loops.pop_back();
    if (line.starts_with('#') && has(line, "nvidia_mma<"))
      matrixLayouts.push_back(line.substr(0, line.find(' ')));
    if (has(line, "scf.for ") || has(line, "scf.while "))
      loops.push_back(indent);
    else if (has(line, "ttg.async_copy_global_to_local") || has(line, "ttng.async_tma_copy_global"))
      ++costs.asyncCopies;
    else if (has(line, " tt.load ") || has(line, "tt.descriptor_load"))
      ++costs.loads[0];
    else if (has(line, " tt.store ") || has(line, "tt.descriptor_store"))
      ++costs.stores[0];
    else if (has(line, "tt.atomic_"))
      ++costs.atomics;
    else if (has(line, "ttg.local_alloc"))
      costs.bufferBytes += memdescBytes(line);
    else if (has(line, "ttg.local_load") || has(line, "ttg.local_store"))
      ++costs.sharedAccesses;
    if (has(line, "ttg.convert_layout")) {
      ++costs.conversions;
      costs.loopConversions += !loops.empty();
    }
    const bool isByGroups = has(line, "ttng.warp_group_dot ") || has(line, "ttng.tc_gen5_mma");
    if (isByGroups || has(line, " tt.dot")) {
      ++costs.products;
      costs.tensorProducts += isByGroups || isMatrixLayout(line, matrixLayouts);
    }
  });
  return costs;
}

StageCosts countCosts(StageId stage, std::string_view text) {
  switch (stage) {
  case StageId::Ttir:
  case StageId::Ttgir:
    return countBlockCosts(text);
  case StageId::LlvmIr:
    return countLlvmCosts(text);
  case StageId::Ptx:
    return countPtxCosts(text);
  case StageId::Sass:
    return countSassCosts(text);
  default:
    return {};
  }
}

// Words
// ---------------------------------------------------------------------------------------------

static QString counted(int count, const QString &one, const QString &many) {
  return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

/// `4 loads of 16 B, 2 of 4 B`.
static QString accessText(const std::map<int64_t, int> &widths, const QString &one,
                          const QString &many) {
  QStringList parts;
  for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
    const QString count =
        parts.isEmpty() ? counted(width->second, one, many) : QString::number(width->second);
    parts << (width->first > 0 ? tr("%1 of %2 B").arg(count).arg(width->first) : count);
  }
  return parts.join(QStringLiteral(", "));
}

QStringList costFacts(const StageCosts &costs) {
  QStringList facts;
  const auto add = [&](int count, const QString &one, const QString &many) {
    if (count > 0)
      facts << counted(count, one, many);
  };
  if (costs.spills > 0)
    facts << counted(costs.spills, tr("spill"), tr("spills"));
  add(costs.localAccesses, tr("access of local memory"), tr("accesses of local memory"));
  if (costs.tensorShare() >= 0)
    facts << tr("%1 % of multiply-adds on tensor cores").arg(100 * costs.tensorShare(), 0, 'f', 0);
  if (costs.products > 0) {
    facts << counted(costs.products, tr("product"), tr("products"));
    if (costs.tensorProducts > 0)
      facts.back() += costs.tensorProducts == costs.products
                          ? tr(" on tensor cores")
                          : tr(", %1 on tensor cores").arg(costs.tensorProducts);
  }
  if (costs.conversions > 0) {
    facts << counted(costs.conversions, tr("layout conversion"), tr("layout conversions"));
    if (costs.loopConversions > 0)
      facts.back() += tr(", %1 in a loop").arg(costs.loopConversions);
  }
  if (!costs.loads.empty())
    facts << accessText(costs.loads, tr("load"), tr("loads"));
  if (!costs.stores.empty())
    facts << accessText(costs.stores, tr("store"), tr("stores"));
  add(costs.asyncCopies, tr("async copy"), tr("async copies"));
  add(costs.atomics, tr("atomic"), tr("atomics"));
  add(costs.barriers, tr("barrier"), tr("barriers"));
  if (costs.bufferBytes > 0)
    facts << tr("buffers %1").arg(sizeText(costs.bufferBytes));
  add(costs.sharedAccesses, tr("shared access"), tr("shared accesses"));
  return facts;
}

} // namespace tilescope::views
