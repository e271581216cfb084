// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/LanguageEntry.h"

#include <memory>

namespace tilescope::app {

/// The compiler's language reference in the form that the editor takes.
std::shared_ptr<const views::LanguageEntries> languageEntries();

} // namespace tilescope::app
