// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/ColumnHeader.h"

#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"
#include "views/stages/CaptionBox.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>

#include <algorithm>

namespace tilescope::views {

using compiler::StageId;
using With = Comparison::With;

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// Passes make what is written in IR.
static bool hasPasses(StageId stage) {
  const TextLanguage language = stageLanguage(stage);
  return language == TextLanguage::Mlir || language == TextLanguage::Llvm;
}

static void fitList(QComboBox *field) {
  const QAbstractItemView *list = field->view();
  field->view()->setMinimumWidth(list->sizeHintForColumn(0) + scaledPx(24));
}

ColumnHeader::ColumnHeader(StageId stage, QWidget *parent)
    : QWidget(parent), m_stage(stage), m_facts(new ElidedLabel(this)),
      m_comparisons(new CaptionBox(tr("Diff"), this)), m_passes(new CaptionBox(tr("Pass"), this)) {
  m_facts->setProperty("muted", true);
  // The fields need the room more.
  m_facts->setMinimumWidth(0);
  m_comparisons->setAccessibleName(tr("What %1 is compared with").arg(titleOf(stage)));
  m_comparisons->setToolTip(
      tr("What the column shows: its content, or the lines that differ from the pass before, the "
         "baseline (Ctrl+Shift+B sets it), an earlier version, another launch, configuration or "
         "target (Ctrl+Alt+D)"));
  m_passes->setAccessibleName(tr("Pass after which %1 is shown").arg(titleOf(stage)));
  m_passes->setToolTip(tr("The stage itself, or the IR after one of its passes (Ctrl+Alt+V; "
                          "Ctrl+Alt+PgDown and Ctrl+Alt+PgUp go from pass to pass)"));
  m_passes->setVisible(hasPasses(stage));
  for (QComboBox *field : {m_passes, m_comparisons})
    field->setMaxVisibleItems(24);
  setProperty("bar", true);
  setAttribute(Qt::WA_StyledBackground);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(2, 2, 6, 2);
  row->setSpacing(4);
  row->addWidget(m_facts, 1);
  row->addWidget(m_passes);
  row->addWidget(m_comparisons);
  setPasses({}, std::nullopt);
  fillComparisons();
  for (QComboBox *field : {m_passes, m_comparisons})
    for (QObject *watched : {static_cast<QObject *>(field), static_cast<QObject *>(field->view())})
      watched->installEventFilter(this);
  connect(m_passes, &QComboBox::currentIndexChanged, this, [this](int index) {
    Q_EMIT passChosen(index > 0 ? std::optional(m_keys[static_cast<size_t>(index) - 1])
                                : std::nullopt);
  });
  connect(m_comparisons, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index < 0)
      return;
    m_shown = m_listed[static_cast<size_t>(index)];
    Q_EMIT comparisonChosen(m_shown);
  });
}

/// An open list closes first.
bool ColumnHeader::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
    QMetaObject::invokeMethod(this, &ColumnHeader::left, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

void ColumnHeader::setFacts(const QString &facts) { m_facts->setText(facts); }
QString ColumnHeader::factsText() const { return m_facts->text(); }

void ColumnHeader::setPasses(const std::vector<PassKey> &passes,
                             const std::optional<PassKey> &shown) {
  std::vector<PassKey> keys = passes;
  if (shown && std::ranges::find(keys, *shown) == keys.end())
    keys.push_back(*shown);
  const QSignalBlocker blocker(m_passes);
  if (keys != m_keys || m_passes->count() == 0) {
    m_keys = std::move(keys);
    m_passes->clear();
    m_passes->addItem(titleOf(m_stage));
    m_passes->setItemData(0, tr("The stage itself, after its last pass"), Qt::ToolTipRole);
    for (const PassKey &key : m_keys) {
      m_passes->addItem(tr("after %1").arg(passTitle(key)));
      const int item = m_passes->count() - 1;
      m_passes->setItemData(item, QString::fromStdString(key.name), Qt::ToolTipRole);
      m_passes->setItemData(item, passTitle(key), CaptionBox::kShortRole);
    }
    fitList(m_passes);
  }
  const auto at = shown ? std::ranges::find(m_keys, *shown) - m_keys.begin() + 1 : 0;
  m_passes->setCurrentIndex(static_cast<int>(at));
  m_passes->updateGeometry();
}

static QString shortName(const Comparison &comparison) {
  switch (comparison.with) {
  case With::Nothing:
    return {};
  case With::PreviousPass:
    return ColumnHeader::tr("last pass");
  case With::Baseline:
    return ColumnHeader::tr("baseline");
  case With::Other:
    return comparison.title;
  }
  return {};
}

void ColumnHeader::addComparison(const Comparison &comparison, const QString &name,
                                 const QString &meaning) {
  m_listed.push_back(comparison);
  m_comparisons->addItem(name);
  const int item = m_comparisons->count() - 1;
  m_comparisons->setItemData(item, meaning, Qt::ToolTipRole);
  m_comparisons->setItemData(item, shortName(comparison), CaptionBox::kShortRole);
}

void ColumnHeader::fillComparisons() {
  const QSignalBlocker blocker(m_comparisons);
  m_comparisons->clear();
  m_listed.clear();
  addComparison({}, tr("Content"), tr("All lines of what is shown"));
  addComparison(
      {With::Baseline}, tr("Diff to baseline"),
      tr("The lines that differ from the baseline: the first version of this kernel that "
         "compiled since its file was opened, or the one at which Ctrl+Shift+B was pressed"));
  if (hasPasses(m_stage))
    addComparison({With::PreviousPass}, tr("Diff by last pass"),
                  tr("The lines that the last pass changed: of the stage, or the one after which "
                     "it is shown"));
  for (const ComparisonOffer &offer : m_offers)
    addComparison({With::Other, offer.key, offer.title}, tr("Diff to %1").arg(offer.title),
                  offer.meaning);
  // What is shown stays in the list, also when nobody offers it any longer.
  if (std::ranges::find(m_listed, m_shown) == m_listed.end())
    addComparison(m_shown, tr("Diff to %1").arg(m_shown.title), {});
  fitList(m_comparisons);
  setComparison(m_shown);
}

void ColumnHeader::setOffers(const std::vector<ComparisonOffer> &offers) {
  if (offers == m_offers)
    return;
  m_offers = offers;
  fillComparisons();
}

void ColumnHeader::setComparison(const Comparison &comparison) {
  m_shown = comparison;
  if (std::ranges::find(m_listed, comparison) == m_listed.end())
    return fillComparisons();
  const QSignalBlocker blocker(m_comparisons);
  m_comparisons->setCurrentIndex(
      static_cast<int>(std::ranges::find(m_listed, comparison) - m_listed.begin()));
  m_comparisons->updateGeometry();
}

} // namespace tilescope::views
