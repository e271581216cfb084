// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/SharedFacts.h"

#include <QStringList>

#include <memory>

namespace tilescope::views {

/// What a kernel keeps in shared memory, and the text that it is written in.
struct SharedContent {
  compiler::SharedFacts facts;
  /// Of the source that ranges point into.
  QStringList lines;
};
using SharedContentPointer = std::shared_ptr<const SharedContent>;

} // namespace tilescope::views
