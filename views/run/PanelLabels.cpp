// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/PanelLabels.h"

#include <QLabel>

namespace tilescope::views {

QLabel *addPanelLabel(QWidget *parent, const char *property) {
  auto *label = new QLabel(parent);
  label->setWordWrap(true);
  label->setContentsMargins(10, 2, 10, 2);
  if (property)
    label->setProperty(property, true);
  return label;
}

QLabel *addLinkLabel(QWidget *parent) {
  QLabel *label = addPanelLabel(parent, nullptr);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
  return label;
}

void renewLinks(QLabel &label) {
  const QString text = label.text();
  label.clear();
  label.setText(text);
}

} // namespace tilescope::views
