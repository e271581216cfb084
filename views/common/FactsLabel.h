// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/Theme.h"

#include <QLabel>

#include <vector>

namespace tilescope::views {

/// A few words, in the color of what they mean.
struct Fact {
  QString text;
  ColorRole color = ColorRole::TextMuted;
  /// What it means and what it comes from, in the tool tip; empty: the text says it all.
  QString meaning = {};
  /// In a frame of its color: what must not be overlooked.
  bool isBadge = false;
  bool operator==(const Fact &) const = default;
};

/// One line of facts, the most important first. Those that fit are shown whole, with `…` behind them
/// where some are left out; all of them are in the tool tip.
class FactsLabel : public QLabel {
  Q_OBJECT
public:
  explicit FactsLabel(QWidget *parent = nullptr);
  void setFacts(std::vector<Fact> facts);
  const std::vector<Fact> &facts() const { return m_facts; }
  /// How many of the facts have room in a line of this width.
  size_t numShown(int width) const;
  /// How many are painted: one less where `…` would have no room behind them.
  size_t numPainted(int width) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  std::vector<Fact> m_facts;
};

} // namespace tilescope::views
