// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string_view>

namespace tilescope::views {

/// One insertion or deletion: the text between `begin` and `oldEnd` became the one between `begin`
/// and `newEnd`. Findings in the earlier text move along until newer findings arrive.
struct TextChange {
  Position begin;
  Position oldEnd;
  Position newEnd;

  static TextChange insertion(Position at, std::string_view text);
  static TextChange deletion(Position at, std::string_view text);

  Position moved(Position position) const;
  SourceRange moved(SourceRange range) const;
  /// Whether it changes something inside of a range, its ends included.
  bool touches(const SourceRange &range) const;
};

/// Moves the places of this document; fixes that the change invalidates are dropped.
void moveDiagnostics(std::vector<compiler::Diagnostic> &diagnostics, const TextChange &change);

} // namespace tilescope::views
