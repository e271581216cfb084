// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/run/RunHistory.h"

namespace tilescope::app {

/// What is chosen now and was not for a run; empty: nothing.
QString otherChoice(const RunDocument &then, const RunDocument &now);
/// Which text, the document's or of a file that it imports, was another one; empty: none. `files`:
/// those that the run has read.
QString otherText(const RunDocument &then, const RunDocument &now,
                  const std::vector<compiler::SourceFile> &files);
/// Why the results of a run no longer belong to the document; empty: they do.
QString outdatedReason(const RunDocument &then, const RunDocument &now,
                       const std::vector<compiler::SourceFile> &files);

} // namespace tilescope::app
