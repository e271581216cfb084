// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/SharedFacts.h"
#include "views/common/FocusState.h"

namespace tilescope::views {

/// A buffer, and one of its accesses; -1: none.
struct BufferChoice {
  int buffer = -1;
  int access = -1;
  bool operator==(const BufferChoice &) const = default;
};

/// What a place means: the access of the smallest expression that holds it, else the buffer that is
/// made there, else those of its line; among several, one of the buffer `current`, and one that is
/// counted. Of a ring, and of what is not counted, only the buffer.
BufferChoice chooseBuffer(const compiler::SharedFacts &facts, const Focus &focus, int current);

/// The access of a buffer that is worth looking at: of those that are counted the one that wastes
/// most, else the first that can be drawn; -1: it has none.
int tellingAccess(const compiler::SharedFacts &facts, int buffer);

} // namespace tilescope::views
