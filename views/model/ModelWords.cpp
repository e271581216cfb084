// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ModelWords.h"

namespace tilescope::views {

QString timeText(double us) {
  return us < 1000 ? QStringLiteral("%1 µs").arg(us, 0, 'f', 1)
                   : QStringLiteral("%1 ms").arg(us / 1000, 0, 'f', 2);
}

QString shapeText(const compiler::ModelTensor &tensor) {
  QStringList extents;
  for (const std::string &extent : tensor.extents)
    extents << QString::fromStdString(extent);
  return extents.isEmpty() ? QString() : extents.join(QStringLiteral(" × "));
}

} // namespace tilescope::views
