// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/PanelLabels.h"

#include <QLabel>

namespace tilescope::views {

void makePanelLabel(QLabel &label) {
  label.setWordWrap(true);
  label.setContentsMargins(10, 2, 10, 2);
}

QLabel *addPanelLabel(QWidget *parent, const char *property) {
  auto *label = new QLabel(parent);
  makePanelLabel(*label);
  if (property)
    label->setProperty(property, true);
  return label;
}

} // namespace tilescope::views
