// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"

namespace tilescope::views {

/// The place in the source that all views mark, since what came from it is pointed at in one of
/// them.
class SourceMark {
public:
  /// `author`: the view that is pointed at.
  SourceMark(FocusState *focus, const QObject *author) : m_focus(focus), m_author(author) {}

  /// An empty range, or one of another file than the document: nothing is marked.
  void show(const SourceRange &range);
  bool isShown() const { return m_isShown; }

private:
  FocusState *m_focus;
  const QObject *m_author;
  bool m_isShown = false;
};

} // namespace tilescope::views
