// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ValueFacts.h"

#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// A variable that is a block of elements.
struct NamedBlock {
  QString name;
  /// May be NaN or infinite.
  bool isFloat = true;
};

/// A block that a line of the document reads, else one that it computes: numbers of floating point
/// first. `values`: what is known of the document's expressions. Nothing: the line names no block.
std::optional<NamedBlock> blockIn(const std::vector<compiler::ValueFacts> &values, uint32_t line,
                                  std::string_view lineText);

/// Conditions for a breakpoint that are about a block.
QStringList conditionsAbout(const NamedBlock &block);

} // namespace tilescope::app
