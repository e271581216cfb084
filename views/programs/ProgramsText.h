// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/programs/ArrayCanvas.h"

#include <QString>

namespace tilescope::views {

/// The accesses, as positions, that a place in the source means: those of the smallest expression
/// that holds it, else those of its line.
std::vector<uint32_t> accessesAt(const compiler::TouchTrace &trace, const Focus &focus);

/// The access by which a program touches an element, in a step rather than in another, by reading
/// rather than by writing; where it does not touch it, any access to the array. -1: none.
int accessTo(const ArrayCanvas::Content &content, const ArrayPlace &place);

/// `Program (3, 1): number 13 of 64 · iteration 2 of 16 · reads 8 KiB …`.
QString programText(const ArrayCanvas::Content &content);
/// What is known of an element: who touches it, where.
QString placeText(const ArrayCanvas::Content &content, const ArrayPlace &place);

} // namespace tilescope::views
