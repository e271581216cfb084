// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/QuotedCode.h"

#include <QStyledItemDelegate>

namespace tilescope::views {

/// Cells of tables and trees, which are painted without the style's `drawItemText`: code that is in
/// backquotes is in quotes.
class QuotedDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QString displayText(const QVariant &value, const QLocale &locale) const override {
    return quotedCode(QStyledItemDelegate::displayText(value, locale));
  }
};

} // namespace tilescope::views
