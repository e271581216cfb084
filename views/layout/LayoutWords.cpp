// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutWords.h"

#include "compiler/artifacts/CpuTarget.h"
#include "compiler/support/Text.h"
#include "compiler/types/TypeText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace tilescope::views {

using compiler::LayoutFacts;

static QString tr(const char *text) { return QCoreApplication::translate("LayoutWords", text); }

static bool hasLine(const LayoutFacts &facts) {
  return facts.source.file == 0 && !facts.source.empty();
}

/// What the source calls a value of TTGIR: `acc` of `%acc_3`; empty: it has a number only.
static QString sourceName(const std::string &value) {
  QString name = QString::fromStdString(value).remove(u'%').section(u'#', 0, 0);
  const qsizetype end = name.lastIndexOf(u'_');
  bool isNumber = false;
  name.mid(end + 1).toInt(&isNumber);
  if (isNumber)
    name.truncate(std::max<qsizetype>(0, end));
  return name;
}

QString entryText(const LayoutFacts &facts) {
  const QString name = sourceName(facts.value);
  const QString operation = QString::fromStdString(facts.op).section(u'.', 1);
  const QString said = name.isEmpty() ? operation : tr("%1: %2").arg(name, operation);
  const QString text =
      QStringLiteral("%1   %2   %3")
          .arg(said,
               QString::fromStdString(compiler::blockTypeText(facts.elementType, facts.shape)),
               QString::fromStdString(facts.value));
  return hasLine(facts) ? tr("line %1   %2").arg(facts.source.begin.line + 1).arg(text) : text;
}

std::vector<int> listedValues(const std::vector<LayoutFacts> &layouts) {
  std::vector<int> order(layouts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int index) {
    const LayoutFacts &facts = layouts[static_cast<size_t>(index)];
    return hasLine(facts) ? facts.source.begin.line : UINT32_MAX;
  });
  return order;
}

QString titleText(const LayoutFacts &facts, LayoutChoice::Reason reason) {
  const QString why = reason == LayoutChoice::Reason::Stored    ? tr("stored here: ")
                      : reason != LayoutChoice::Reason::Outside ? QString()
                      : isLoad(facts)                           ? tr("first load: ")
                                                                : tr("first value: ");
  return QStringLiteral("%1%2 = %3  ·  %4")
      .arg(why, QString::fromStdString(facts.value), QString::fromStdString(facts.op),
           QString::fromStdString(facts.encoding));
}

/// Where a value to look at is made: its first load.
static QString exampleOf(const compiler::CompileResult &result) {
  for (const LayoutFacts &facts : result.layouts)
    if (isLoad(facts) && facts.source.file == 0 && !facts.source.empty())
      return tr("such as the load in line %1").arg(facts.source.begin.line + 1);
  return tr("such as a load");
}

/// Whether a text has a name more than once.
static bool isUsed(std::string_view text, std::string_view name) {
  const auto isPart = [](char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
  };
  int count = 0;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !isPart(text[at - 1])) &&
        (at + name.size() == text.size() || !isPart(text[at + name.size()])))
      ++count;
  return count > 1;
}

/// Why TTGIR has nothing for a block that the source computes on a line.
static QString whyRemoved(const compiler::CompileResult &result, uint32_t line) {
  const std::string_view text = result.files.empty() ? std::string_view() : result.files[0].text;
  const std::vector<std::string_view> lines = splitLines(text);
  for (const compiler::ValueFacts &value : result.values) {
    if (!value.isDefinition || value.range.begin.line != line || line >= lines.size() ||
        value.range.end.line != line || value.range.end.column > lines[line].size())
      continue;
    const std::string_view name = lines[line].substr(
        value.range.begin.column, value.range.end.column - value.range.begin.column);
    if (!name.empty() && !isUsed(text, name))
      return tr("The compiler removed `%1`: it is never used.")
          .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
  }
  return tr("TTGIR has no operation for it: it is never used, part of another "
            "operation, or equal to a value that is there already.");
}

/// Whether the source computes with blocks: `fp32[128, 64]`.
static bool hasBlocks(const compiler::CompileResult &result) {
  return std::ranges::any_of(
      result.values, [](const compiler::ValueFacts &value) { return value.type.ends_with(']'); });
}

EmptyTexts emptyTexts(const compiler::CompileResult *result, LayoutChoice::Reason reason,
                      uint32_t line, ShownText text) {
  const bool isBroken = text == ShownText::Broken;
  if (result && !result->stages.empty() && result->stages.front().id > compiler::StageId::Ttgir)
    return {tr("No tensors: the document starts at a stage after TTGIR.")};
  if (result && compiler::isCpuTarget(result->target))
    return {tr("This view is about GPU targets: it shows which warps, lanes and registers hold a "
               "block.\nThe kernel is compiled for `%1`; choose a GPU as the target to see it.")
                .arg(QString::fromStdString(result->target))};
  // What an earlier text made here says nothing about the newest one.
  if (result && text == ShownText::Awaited && !result->layouts.empty())
    return {
        tr("No block value here yet.\nThe newest text is being compiled. The list above has the "
           "values of an earlier text.")};
  if (result && text == ShownText::Awaited)
    return {tr("No tensor yet.\nThe newest text is being compiled.")};
  if (result && reason == LayoutChoice::Reason::Removed && !isBroken)
    return {tr("No block value here.\n%1").arg(whyRemoved(*result, line))};
  // Lines of a text that has changed are not named.
  if (result && !result->layouts.empty() && isBroken)
    return {tr("No block value here.\nThe newest text does not compile. The list above has the "
               "values of the last text that compiled.")};
  if (result && !result->layouts.empty())
    return {tr("No block value here.\nClick an expression that makes a block, %1, or choose a "
               "value above.")
                .arg(exampleOf(*result))};
  const compiler::Stage *ttgir = result ? result->stage(compiler::StageId::Ttgir) : nullptr;
  if (ttgir && ttgir->ok && isBroken)
    return {
        tr("The newest text does not compile.\nThe last one that did has no tensors in TTGIR.")};
  if (ttgir && ttgir->ok)
    return {
        hasBlocks(*result)
            ? tr("No tensors are left in TTGIR.\nNothing that the kernel computes is stored yet.")
            : tr("No tensors: the kernel computes with single numbers only.")};
  return {tr("No tensor yet.\nIts elements appear here as soon as the kernel compiles to TTGIR."),
          tr("The warps, lanes and registers that hold them appear here.")};
}

} // namespace tilescope::views
