// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QString>

#include <optional>
#include <string>

namespace tilescope::views {

/// Names a pass across compiles: the stage that it helps to make, its name, and which of the passes
/// of that name in the stage it is, from 0.
struct PassKey {
  compiler::StageId stage{};
  std::string name;
  int turn = 0;
  bool operator==(const PassKey &) const = default;
};

/// The key of `result.passes[index]`.
PassKey passKey(const compiler::CompileResult &result, size_t index);
/// The pass of that key; nothing: this compile did not run it.
std::optional<size_t> findPass(const compiler::CompileResult &result, const PassKey &key);
/// The nearest pass up to `index`, itself included, whose IR was kept; null: none was.
const compiler::PassRecord *recordedUpTo(const compiler::CompileResult &result, size_t index);

/// Without the prefix that our own passes share.
QString shortPassName(const std::string &name);
/// `coalesce`, or `cse (2)` for the second of that name.
QString passTitle(const PassKey &key);

/// Whether the pass turns one language into another: then nothing before it can be compared.
bool translatesCode(const compiler::PassRecord &record);

} // namespace tilescope::views
