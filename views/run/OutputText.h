// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"
#include "views/common/FactsLabel.h"
#include "views/common/tensor/TensorText.h"
#include "views/run/RunResults.h"

namespace tilescope::views {

/// Facts about an output besides its values, as rich text: elements that were never written, the
/// first and the worst mismatch, or what leaves a match in doubt. Links lead to elements by their
/// flat index.
QString outputRemarks(const profiler::OutputResult &output);

/// Whether the first element that differs from its reference is one that was never written.
bool isFirstUnwritten(const profiler::OutputResult &output);

/// What is wrong with the results of a run, with counts and shares: faults, elements that were never
/// written or differ. Nothing: nothing is.
std::vector<Fact> resultBadges(const RunResults &results);
/// What is wrong with one output, in a word or two: `⚠ differs, NaN`. Empty: nothing is.
QString outputMark(const profiler::OutputResult &output);
/// Of an output that has been read, and that the run did not look through: elements that are not
/// finite numbers.
std::vector<Fact> digestBadges(const TensorDigest &digest, const profiler::OutputResult &output);

} // namespace tilescope::views
