// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The registry of hints; one line each in HintKinds.def.
enum class HintKind : uint8_t {
#define TILESCOPE_HINT(name, id) name,
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT
};

inline constexpr int kNumHintKinds = 0
#define TILESCOPE_HINT(name, id) +1
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT
    ;

/// The stable identifier shown to users and scripts, e.g. `narrow-access`.
std::string_view hintId(HintKind kind);

/// A change that was tried: it compiles, and the outputs of the programs that ran are the same.
struct HintFix {
  DiagnosticFix edit;
  /// What the trial showed, a clause: "256 bytes fewer of shared memory; equal outputs of 8
  /// programs".
  std::string outcome;
  bool operator==(const HintFix &) const = default;
};

/// Something in a kernel that works, and costs more than it needs to. Worded as diagnostics are.
struct Hint {
  HintKind kind{};
  /// 1: certain and expensive; 2: certain; 3: worth knowing.
  int32_t rank = 3;
  SourceRange range;
  /// What is there.
  std::string message;
  /// The numbers that show it, a clause each.
  std::vector<std::string> evidence;
  /// What a change would save, as far as the facts tell.
  std::string gain;
  /// What would change it.
  std::string advice;
  /// At most one, and only after it was tried.
  std::vector<HintFix> fixes;
  /// Why a change that would remove the cause is not offered, a clause; empty: there is none, or a
  /// fix.
  std::string whyNoFix = {};
  bool operator==(const Hint &) const = default;
};

} // namespace tilescope::compiler
