// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/InfoLines.h"

#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"

namespace tilescope::views {

/// A view of at least this height has several lines for the words below its picture: two, or three if
/// it is narrow.
static constexpr int kHighPx = 400, kNarrowPx = 480;
/// One of less height is low.
static constexpr int kLowPx = 270;

bool isLowView(const QSize &view) { return view.height() < scaledPx(kLowPx); }

void giveInfoLines(ElidedLabel &label, const QSize &view) {
  const bool isHigh = view.height() >= scaledPx(kHighPx);
  const int numLines = !isHigh ? 1 : view.width() < scaledPx(kNarrowPx) ? 3 : 2;
  label.setWordWrap(isHigh);
  label.setAlignment(Qt::AlignLeft | (isHigh ? Qt::AlignTop : Qt::AlignVCenter));
  label.setFixedHeight(numLines * label.fontMetrics().lineSpacing() +
                       label.contentsMargins().top() + label.contentsMargins().bottom());
}

} // namespace tilescope::views
