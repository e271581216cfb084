// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "app/ide/compile/CompileBackend.h"
#include "views/common/FocusState.h"
#include "views/common/MovedPlaces.h"

namespace tilescope::app {

/// Joins places of the text in the editor with those of the text that views show: the newest one
/// that was compiled, or the last whole one while the newest does not compile.
///
///     shown:  x = tl.load(p)     editor:  # typed     the cursor in line 1 there is on line 0
///                                         x = tl.load(p)
class ShownPlaces {
public:
  /// Takes part of a compile of `source`, and with `done` all of it: of the same file and kernel as
  /// before, unless all was cleared.
  void take(CorrelationPointer result, std::shared_ptr<const KernelSource> source, bool done);
  void clear();

  /// What a cursor in `text` is on.
  views::Focus focusAt(Position position, const std::string &text) const;
  /// Ranges that views know, where they are in `text`.
  std::vector<SourceRange> inText(std::vector<SourceRange> ranges, const std::string &text) const;

private:
  struct Shown {
    CorrelationPointer result;
    std::shared_ptr<const KernelSource> source;
  };
  void compareWith(const std::string &text) const;

  Shown m_shown;
  /// The last one that was compiled to its end.
  Shown m_whole;
  /// From the text that was asked about last, and to it; nothing while it is the one that is shown.
  struct Moves {
    std::string text;
    views::MovedPlaces toShown;
    views::MovedPlaces toText;
  };
  mutable std::optional<Moves> m_moves;
};

} // namespace tilescope::app
