// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/VersionDialog.h"

#include "views/common/CodeDialog.h"
#include "views/common/CodeView.h"
#include "views/common/LineDiff.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>

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

QDialog *showVersions(QWidget *parent, const ComparedVersion &before,
                      const ComparedVersion &after) {
  QDialog *dialog = views::createCodeDialog(parent, tr("%1 and %2").arg(before.title, after.title));
  const QString difference = versionDifference(before.entry, after.entry);
  auto *facts = new QLabel(
      tr("From %1 to %2: %3")
          .arg(before.title, after.title,
               difference.isEmpty() ? unchangedText(before.entry, after.entry) : difference),
      dialog);
  facts->setObjectName(QStringLiteral("facts"));
  facts->setWordWrap(true);
  auto *choice = new QComboBox(dialog);
  choice->setAccessibleName(tr("What is compared"));
  auto *lines = new QLabel(dialog);
  auto *view = new views::CodeView(dialog);
  auto texts = std::make_shared<const std::vector<ComparedText>>(comparedTexts(before, after));
  for (const ComparedText &text : *texts)
    choice->addItem(text.title);
  if (texts->size() == 1)
    choice->setToolTip(tr("The stages of versions from before the program's start are not kept; "
                          "restore a version to compile it again."));
  const auto show = [=](int index) {
    if (index < 0)
      return;
    const ComparedText &text = (*texts)[static_cast<size_t>(index)];
    views::UnifiedDiff diff = text.isIr ? views::unifiedIrDiff(text.before, text.after)
                                        : views::unifiedDiff(text.before, text.after);
    lines->setText(diff.numAdded + diff.numRemoved == 0
                       ? tr("no line is different")
                       : tr("+%1, −%2 lines").arg(diff.numAdded).arg(diff.numRemoved));
    view->setText(std::move(diff.text), views::TextLanguage::Plain);
    view->setDiff(std::move(diff.lines));
  };
  QObject::connect(choice, &QComboBox::currentIndexChanged, dialog, show);
  show(0);
  auto *choices = new QWidget(dialog);
  auto *row = new QHBoxLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(choice);
  row->addWidget(lines, 1);
  views::showCodeDialog(dialog, {facts, choices}, view, views::createCloseButton(dialog));
  return dialog;
}

} // namespace tilescope::app
