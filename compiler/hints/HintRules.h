// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/hints/FoundHint.h"
#include "compiler/hints/HintFacts.h"

/// The function of each kind, which adds what it finds.
namespace tilescope::compiler {

#define TILESCOPE_HINT(name, id)                                                                   \
  void find##name(const HintFacts &facts, std::vector<FoundHint> &hints);
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT

} // namespace tilescope::compiler
