// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Hint.h"

#include <QString>

namespace tilescope::views {

/// The view in whose picture the cause of a hint is seen, at the hint's place: its name as the
/// window has it, such as `access`, and the words that offer it. Empty: no picture shows it.
struct HintPicture {
  QString view;
  QString words;
};
HintPicture hintPicture(compiler::HintKind kind);

} // namespace tilescope::views
