// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QsciScintilla;

namespace tilescope::views {

/// Defines how brackets beside the cursor look, in the colors of the theme in use.
void defineBraceMarks(QsciScintilla &editor);
/// Marks the bracket before the cursor, or else the one behind it, and the bracket that belongs to
/// it; a bracket without a partner is marked as an error. Scintilla's own marks repaint the whole
/// editor whenever one of them moves, which is at every key between two brackets.
void markBraces(QsciScintilla &editor);

} // namespace tilescope::views
