// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <QString>

namespace tilescope::views {

/// `12.3 µs`.
QString timeText(double us);
/// `1 × 16 × 24`.
QString shapeText(const compiler::ModelTensor &tensor);

} // namespace tilescope::views
