// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/stages/ColumnText.h"

#include <QWidget>

class QComboBox;

namespace tilescope::views {

class ElidedLabel;

/// The row above a column: facts, behind which pass the IR is shown, and what it is compared with.
class ColumnHeader : public QWidget {
  Q_OBJECT
public:
  ColumnHeader(compiler::StageId stage, QWidget *parent);

  void setFacts(const QString &facts);
  QString factsText() const;
  /// The passes of the stage that can be chosen, and which is shown; nothing: the stage itself.
  /// A pass that this compile lacks stays in the list while it is the one that is shown.
  void setPasses(const std::vector<PassKey> &passes, const std::optional<PassKey> &shown);
  /// Results beside the baseline, for `Comparison::With::Other`.
  void setOffers(const std::vector<ComparisonOffer> &offers);
  /// Shows it without telling anybody.
  void setComparison(const Comparison &comparison);
  const Comparison &comparison() const { return m_shown; }
  QComboBox &passField() { return *m_passes; }
  QComboBox &comparisonField() { return *m_comparisons; }

Q_SIGNALS:
  void passChosen(const std::optional<tilescope::views::PassKey> &pass);
  void comparisonChosen(const tilescope::views::Comparison &comparison);
  /// The user is done with the fields, by Escape.
  void left();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void fillComparisons();
  void addComparison(const Comparison &comparison, const QString &name, const QString &meaning);

  compiler::StageId m_stage;
  ElidedLabel *m_facts;
  QComboBox *m_comparisons;
  QComboBox *m_passes;
  /// As the lists have them, the stage itself left out.
  std::vector<PassKey> m_keys;
  std::vector<Comparison> m_listed;
  std::vector<ComparisonOffer> m_offers;
  Comparison m_shown;
};

} // namespace tilescope::views
