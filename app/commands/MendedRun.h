// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether a change of a kernel has mended what a run of it found. A change here is a list of fixes, from the last in the
// text to the first; it moves what was found behind it.
#pragma once

#include "app/commands/RunLaunch.h"

#include <vector>

namespace tilescope::app {

using Fixes = std::vector<compiler::DiagnosticFix>;

/// Whether no output differs from what is expected. The run has a measurement, as those of all that follows.
bool areAllRight(const LaunchRun &run);

/// Whether an output differs.
bool isWrong(const LaunchRun &run, const std::string &name);

/// Whether programs leave out elements of what they write.
bool leavesOut(const LaunchRun &run);

/// A fault or a doubt: what no change may bring.
bool isFault(const compiler::Diagnostic &diagnostic);

/// Whether something of the kind of `found` was found before in that line, as a finding or as one more place of one.
bool wasThere(const LaunchRun &before, const compiler::Diagnostic &found, const Fixes &change);

/// Whether a finding of `before` is no longer there; of an output that differs, whether fewer of its elements do. Both
/// runs have a measurement.
bool isGone(const LaunchRun &before, const LaunchRun &after, const compiler::Diagnostic &finding,
            const Fixes &change);

/// Whether it is gone, nothing new is found, and no output has more elements that differ, that nobody writes or that
/// are nan.
bool isMended(const LaunchRun &before, const LaunchRun &after, const compiler::Diagnostic &finding,
              const Fixes &change);

/// An output that differs in as many elements after a change as before, and in some; empty: there is none.
std::string leftAsWrong(const LaunchRun &before, const LaunchRun &after);

/// An access that masks keep inside while an output is as wrong with them.
struct DoubtedIndex {
  /// Its index among the diagnostics.
  size_t finding = 0;
  std::string output;
  Fixes masks;
};

/// Takes the masks out of the finding's fixes where it has others; else says that the index may be at fault.
void doubtIndex(compiler::Diagnostic &finding, const DoubtedIndex &doubt);

} // namespace tilescope::app
