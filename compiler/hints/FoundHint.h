// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Hint.h"
#include "compiler/hints/Padding.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

enum class ChangeKind : uint8_t {
  /// The option `name` of the launch block gets `value`.
  Option,
  /// The call at the hint's place goes without the arguments `names`.
  DropArguments,
  /// Its argument `name` gets `value`.
  SetArgument,
  /// It becomes the name of what the call at `place` returned.
  ReuseResult,
  /// The assignment of its result moves before the loop.
  Hoist,
  /// The kernel's parameter `name` is no longer among those that are not specialized.
  Specialize,
  /// The kernel's parameter `name` becomes a `tl.constexpr`.
  Constexpr,
};

/// A change of the source that should make a hint go. It is tried before the user is told of it.
struct ProposedChange {
  ChangeKind kind{};
  std::string name = {};
  std::string value = {};
  std::vector<std::string> names = {};
  SourceRange place = {};
};

struct FoundHint : Hint {
  std::optional<ProposedChange> change;
  /// Arguments that should have other values. They are counted before the user is told of them.
  std::optional<Padding> padding = {};
};

} // namespace tilescope::compiler
