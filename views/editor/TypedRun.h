// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a user typed in one go is several steps to the editor component: a bracket that brings its
// partner along, or the first letter in place of a selection, begins a new one. Undo takes back what
// was typed in one go:
//
//     tl.rsqrt(x)  selected, `1 / tl.sqrt(x)` typed over it: `1`, ` / tl.sqrt`, `()` and `x` are
//                  steps, and one undo brings the selected text back
#pragma once

#include "views/editor/EditHistory.h"

namespace tilescope::views {

/// How many of the last applied steps one undo takes back; 0 where there are none.
size_t stepsToUndo(const EditHistory &history);
/// How many of the steps that were undone one redo brings back.
size_t stepsToRedo(const EditHistory &history);

} // namespace tilescope::views
