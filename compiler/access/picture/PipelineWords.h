// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What views and reports say about loops and their pipelines.
#pragma once

#include "compiler/artifacts/LoopFacts.h"

#include <vector>

namespace tilescope::compiler::access {

/// `line 42: 3 slots, 2 copies an iteration, 2 iterations ahead`.
std::string loopTitle(const LoopFacts &facts);
/// What runs beside what, or why nothing does; one or two sentences.
std::string loopSentence(const LoopFacts &facts);
/// How much of the loop the picture shows.
std::string followedSentence(const LoopFacts &facts);
/// Of a kernel without loops, or in short of those that it has.
std::string loopsSentence(const std::vector<LoopFacts> &loops);

/// `before the loop`, `iteration 3`, `behind the loop`; in a picture without room, `3`.
std::string iterationText(int32_t iteration);
std::string iterationLabel(int32_t iteration);
/// Of a row: `a, slot 1`, `waits`, …; `facts` names the buffers and groups of warps.
std::string slotText(const LoopFacts &facts, int32_t buffer, int32_t slot);
std::string partitionText(const LoopPartition &partition);

/// `copy of a for iteration 5 into slot 2`.
std::string eventTitle(const LoopFacts &facts, uint32_t event);
/// The same with when, who waits for it, and who uses it.
std::string eventText(const LoopFacts &facts, uint32_t event);
/// In a bar: the iteration of a copy or product, a letter for other work.
std::string eventLabel(const LoopFacts &facts, uint32_t event);

} // namespace tilescope::compiler::access
