// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ViewDescriptions.h"

#include "app/ide/docks/DockSet.h"
#include "views/help/Glossary.h"

namespace tilescope::app {

/// Docks and the entries of the glossary that say what they show. That of a stage has its title.
static constexpr std::pair<const char *, const char *> kTerms[] = {
    {"layout", "Layout view"},
    {"access", "Access view"},
    {"shared", "Shared memory view"},
    {"pipeline", "Pipeline view"},
    {"programs", "Programs view"},
    {"conversion", "Conversion view"},
    {"registers", "Registers view"},
    {"problems", "Problems"},
    {"passes", "Passes"},
    {"run", "Run"},
    {"profile", "Profile view"},
    {"trace", "Trace view"},
    {"sweep", "Sweep view"},
    {"history", "History view"},
    {"lesson", "Lesson view"},
    {"step", "Step view"},
    {"console", "Console"},
};

QString viewDescription(const QString &id) {
  const auto hint = [](std::string_view term) {
    return views::glossaryHint(views::glossary(),
                               QString::fromUtf8(term.data(), static_cast<qsizetype>(term.size())));
  };
  for (const compiler::StageKind &kind : compiler::kStageKinds)
    if (id == stageDockId(kind.id))
      return hint(kind.title);
  for (const auto &[known, term] : kTerms)
    if (id == QLatin1String(known))
      return hint(term);
  return {};
}

} // namespace tilescope::app
