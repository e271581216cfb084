// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace tilescope::views {

/// Widgets beside each other, each as wide as it asks for; what does not fit goes to the next line.
/// The room that is left in a line goes to those of its widgets that expand.
class FlowLayout : public QLayout {
  Q_OBJECT
public:
  explicit FlowLayout(QWidget *parent = nullptr);
  ~FlowLayout() override;

  void addItem(QLayoutItem *item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem *itemAt(int index) const override;
  QLayoutItem *takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect &rect) override;

private:
  /// Returns the height that the lines need; with `place` the items are put there.
  int arrange(const QRect &rect, bool place) const;

  std::vector<QLayoutItem *> m_items;
};

} // namespace tilescope::views
