// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QtTest/QtTest>

namespace tilescope::tests {

/// Waits until what follows from events is done, too. It is done in events of its own, some deep,
/// so this counts rounds: a busy machine has one or two of them in a time that is enough elsewhere.
inline void settle() {
  for (int round = 0; round < 10; ++round)
    QTest::qWait(5);
}

} // namespace tilescope::tests
