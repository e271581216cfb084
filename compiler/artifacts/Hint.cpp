// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/Hint.h"

#include <array>

namespace tilescope::compiler {

std::string_view hintId(HintKind kind) {
  static constexpr auto kIds = std::to_array<std::string_view>({
#define TILESCOPE_HINT(name, id) id,
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT
  });
  return kIds[static_cast<size_t>(kind)];
}

} // namespace tilescope::compiler
