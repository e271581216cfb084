// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/ShownModel.h"

#include <QStringList>

namespace tilescope::views {

/// `12.3 µs`.
QString timeText(double us);
/// `1 × 16 × 24`.
QString shapeText(const compiler::ModelTensor &tensor);
/// What a box says of a kernel, the most telling line first: its name, what it makes, its nodes.
QStringList kernelLabel(const ShownModel &model, int kernel);
/// The same in one line, with what it costs.
QString kernelText(const ShownModel &model, int kernel);

} // namespace tilescope::views
