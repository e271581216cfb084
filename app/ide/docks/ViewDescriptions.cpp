// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ViewDescriptions.h"

#include "views/help/Glossary.h"

namespace tilescope::app {

/// Docks and the entries of the glossary that say what they show.
static constexpr std::pair<const char *, const char *> kTerms[] = {
    {"stage.ast", "AST"},      {"stage.ttir", "TTIR"},
    {"stage.ttgir", "TTGIR"},  {"stage.llir", "LLVM IR"},
    {"stage.ptx", "PTX"},      {"stage.sass", "SASS"},
    {"layout", "Layout view"}, {"access", "Access view"},
    {"problems", "Problems"},  {"passes", "Passes"},
    {"run", "Run"},            {"console", "Console"},
};

QString viewDescription(const QString &id) {
  for (const auto &[known, term] : kTerms)
    if (id == QLatin1String(known))
      return views::glossaryHint(views::glossary(), QString::fromLatin1(term));
  return {};
}

} // namespace tilescope::app
