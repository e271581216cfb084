// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/VersionDialog.h"

#include "compiler/support/LineDiff.h"
#include "views/common/CodeDialog.h"
#include "views/common/CodeView.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace tilescope::app {

using compiler::Stage;
using compiler::StageId;

static QString tr(const char *text) { return QCoreApplication::translate("VersionDialog", text); }

static const Stage *shownStage(const ComparedVersion &version, StageId id) {
  const Stage *stage = version.result ? version.result->stage(id) : nullptr;
  return stage && stage->ok && !stage->text.empty() ? stage : nullptr;
}

namespace {
struct ComparedText {
  QString title;
  std::string before;
  std::string after;
  bool isIr = false;
};
} // namespace

static std::vector<ComparedText> comparedTexts(const ComparedVersion &before,
                                               const ComparedVersion &after) {
  std::vector<ComparedText> texts{
      {tr("Source"), before.entry.text.toStdString(), after.entry.text.toStdString(), false}};
  for (const StageId id : compiler::stagesWith(compiler::stage_trait::Text)) {
    const Stage *old = shownStage(before, id), *now = shownStage(after, id);
    const std::string_view title = compiler::stageTitle(id);
    if (old && now)
      texts.push_back({QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())),
                       views::withoutDebugInfo(old->text, id),
                       views::withoutDebugInfo(now->text, id), true});
  }
  return texts;
}

/// Where nothing differs, what of it could be compared at all.
static QString unchangedText(const views::HistoryEntry &before, const views::HistoryEntry &after) {
  const QString counts = before.facts && after.facts
                             ? tr("no difference in resources and counts")
                             : tr("resources and counts are not known of both");
  if (timeChange(before, after))
    return tr("%1, and none in time").arg(counts);
  if (before.time && after.time)
    return tr("%1; times of the interpreter, or of different GPUs, are not compared").arg(counts);
  return tr("%1; there are no two times to compare").arg(counts);
}

static QString factsText(const ComparedVersion &before, const ComparedVersion &after) {
  const QString titles = tr("From %1 to %2: %3").arg(before.title, after.title);
  if (!after.onlyText.isEmpty())
    return titles.arg(after.onlyText);
  const QString difference = versionDifference(before.entry, after.entry);
  return titles.arg(difference.isEmpty() ? unchangedText(before.entry, after.entry) : difference);
}

namespace {
/// What the window consists of.
struct Parts {
  QLabel *facts;
  QComboBox *choice;
  QLabel *lines;
  views::CodeView *view;
  std::vector<ComparedText> texts;
};
} // namespace

static void showText(Parts &parts, int index) {
  if (index < 0)
    return;
  const ComparedText &text = parts.texts[static_cast<size_t>(index)];
  UnifiedDiff diff =
      text.isIr ? unifiedIrDiff(text.before, text.after) : unifiedDiff(text.before, text.after);
  parts.lines->setText(diff.numAdded + diff.numRemoved == 0
                           ? tr("no line is different")
                           : tr("+%1, −%2 lines").arg(diff.numAdded).arg(diff.numRemoved));
  parts.view->setText(std::move(diff.text), views::TextLanguage::Plain);
  parts.view->setDiff(std::move(diff.lines));
}

/// The text that is chosen stays so.
static void fill(Parts &parts, const ComparedVersion &before, const ComparedVersion &after) {
  parts.facts->setText(factsText(before, after));
  const QSignalBlocker block(parts.choice);
  const QString chosen = parts.choice->currentText();
  parts.texts = comparedTexts(before, after);
  parts.choice->clear();
  for (const ComparedText &text : parts.texts)
    parts.choice->addItem(text.title);
  parts.choice->setCurrentIndex(std::max(0, parts.choice->findText(chosen)));
  parts.choice->setToolTip(
      parts.texts.size() > 1 ? QString()
      : !after.onlyText.isEmpty()
          ? after.onlyText
          : tr("The stages of versions from before the program's start are not kept; restore a "
               "version to compile it again."));
  showText(parts, parts.choice->currentIndex());
}

VersionWindow showVersions(QWidget *parent, const ComparedVersion &before,
                           const ComparedVersion &after, const VersionMeasuring &measuring) {
  QDialog *dialog = views::createCodeDialog(parent, tr("%1 and %2").arg(before.title, after.title));
  auto parts = std::make_shared<Parts>(Parts{new QLabel(dialog),
                                             new QComboBox(dialog),
                                             new QLabel(dialog),
                                             new views::CodeView(dialog),
                                             {}});
  parts->facts->setObjectName(QStringLiteral("facts"));
  parts->facts->setWordWrap(true);
  parts->choice->setAccessibleName(tr("What is compared"));
  QObject::connect(parts->choice, &QComboBox::currentIndexChanged, dialog,
                   [parts](int index) { showText(*parts, index); });
  fill(*parts, before, after);
  auto *choices = new QWidget(dialog);
  auto *row = new QHBoxLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(parts->choice);
  row->addWidget(parts->lines, 1);
  QWidget *times = measuring.backend ? new TogetherRow(measuring.backend, measuring.offer, dialog)
                                     : new QWidget(dialog);
  times->setVisible(measuring.backend != nullptr);
  views::showCodeDialog(dialog, {parts->facts, times, choices}, parts->view,
                        views::createCloseButton(dialog));
  return {dialog, [parts](const ComparedVersion &first, const ComparedVersion &second) {
            fill(*parts, first, second);
          }};
}

} // namespace tilescope::app
