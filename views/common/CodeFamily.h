// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::views {

/// The font family that `codeFont()` returns from now on; empty: the first installed of the
/// preferred ones.
void setCodeFamily(const QString &family);

} // namespace tilescope::views
