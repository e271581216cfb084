// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/ElidedComboBox.h"

namespace tilescope::views {

/// A choice from many: what is typed while its list is open leaves the entries that contain it.
/// Backspace takes a letter back; the field shows what was typed.
class FilteredComboBox : public ElidedComboBox {
  Q_OBJECT
public:
  explicit FilteredComboBox(QWidget *parent = nullptr);

  QString filter() const { return m_filter; }
  void showPopup() override;
  void hidePopup() override;

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void setFilter(const QString &filter);

  QString m_filter;
};

} // namespace tilescope::views
