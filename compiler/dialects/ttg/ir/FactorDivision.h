// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/Encodings.h"

namespace tilescope::ttg {

/// How the blocks of a cluster divide factor 0 or 1 of a product whose result they divide like
/// `result`: blocks that split the other factor's dimension hold copies.
CgaLayoutAttr divisionOfFactor(CgaLayoutAttr result, unsigned factor);

} // namespace tilescope::ttg
