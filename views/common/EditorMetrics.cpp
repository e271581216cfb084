// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/EditorMetrics.h"

#include "views/common/Theme.h"

#include <QFontMetrics>
#include <QScrollBar>
#include <QString>

#include <algorithm>

namespace tilescope::views {

/// So that the margin does not move while a short file grows.
static constexpr int kLeastDigits = 3;

EditorMargins editorMargins(int numLines) {
  const int digits = std::max(kLeastDigits, static_cast<int>(QString::number(numLines).size()));
  const int digit = QFontMetrics(codeFont()).horizontalAdvance(u'0');
  return {.numbers = digit * (digits + 1) + 4,
          .breakpoints = scaledPx(14),
          .symbols = scaledPx(17),
          .tints = 5,
          .folds = scaledPx(14),
          .gap = 6};
}

int editorWidth(int columns) {
  const EditorMargins margins = editorMargins(1);
  QScrollBar bar(Qt::Vertical);
  bar.ensurePolished();
  return margins.numbers + margins.breakpoints + margins.symbols + margins.tints + margins.folds +
         margins.gap + QFontMetrics(codeFont()).horizontalAdvance(u'0') * columns +
         bar.sizeHint().width();
}

} // namespace tilescope::views
