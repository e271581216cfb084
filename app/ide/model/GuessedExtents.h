// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/model/ModelBackend.h"

namespace tilescope::app {

/// Numbers for the names that the extents of a model's inputs use, the likeliest first: the first axis
/// of an input is a batch of 1, images have one of some usual sizes, sequences 128 elements. Models need
/// multiples of 32, or exactly one height, so there are several. Empty: the model leaves nothing open.
std::vector<ModelExtents> guessedExtents(const compiler::ModelResult &model);

} // namespace tilescope::app
