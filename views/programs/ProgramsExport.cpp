// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The files that a ProgramsView is exported to.
#include "views/programs/ProgramsView.h"

namespace tilescope::views {

static constexpr double kExportHeight = 590;

ExportedPicture ProgramsView::exported() const {
  QStringList lines{titleText()};
  if (!orderText().isEmpty())
    lines << orderText();
  return {std::move(lines), kExportHeight,
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

} // namespace tilescope::views
