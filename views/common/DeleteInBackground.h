// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QThreadPool>

namespace tilescope::views {

/// Deleter of what holds hundreds of MiB of memory or of files: returning those to the system takes
/// several frames, and whichever thread drops the last reference would wait for it. The pool is
/// waited for when the program ends.
struct DeleteInBackground {
  template <typename T> void operator()(T *object) const {
    QThreadPool::globalInstance()->start([object] { delete object; });
  }
};

} // namespace tilescope::views
