// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Does not compile: see the test `errors_must_be_looked_at`.
#include "compiler/support/Result.h"

tilescope::Status save();
tilescope::Result<int> load();

void ignore() {
  save();
  load();
}
