// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::views {

/// What is beside the code in an editor, in pixels, for text of the present size.
struct EditorMargins {
  /// Of the number of a line.
  int numbers = 0;
  int breakpoints = 0;
  int symbols = 0;
  int tints = 0;
  int folds = 0;
  /// Between them and the code.
  int gap = 0;
};

/// Of an editor of so many lines.
EditorMargins editorMargins(int numLines);

/// The width of an editor that shows so many columns of code beside its margins and scroll bar, if
/// it has fewer than a thousand lines.
int editorWidth(int columns);

} // namespace tilescope::views
