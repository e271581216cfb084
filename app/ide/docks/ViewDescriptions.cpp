// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ViewDescriptions.h"

#include "views/help/Glossary.h"

namespace tilescope::app {

QString viewDescription(const QString &title) {
  const QString ofView = views::glossaryHint(views::glossary(), title + QStringLiteral(" view"));
  return ofView.isEmpty() ? views::glossaryHint(views::glossary(), title) : ofView;
}

} // namespace tilescope::app
