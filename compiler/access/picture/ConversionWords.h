// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a window and a report say of conversions between layouts, in the same words.
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/layout/picture/ConversionMap.h"

namespace tilescope::compiler::access {

/// The layouts of a conversion, as those of values are described.
LayoutFacts layoutBefore(const ConversionFacts &facts);
LayoutFacts layoutBehind(const ConversionFacts &facts);

/// The conversions as positions: those in loops first, of them the ones that cost most.
std::vector<size_t> dearestFirst(const std::vector<ConversionFacts> &conversions);

/// What kind of layout an encoding is: `blocked`, `mma`, `factor 0 of mma`, `slice`, ….
std::string encodingName(const std::string &encoding);
/// `mma → blocked`.
std::string layoutsTitle(const ConversionFacts &facts);
/// `fp32[64, 64] · mma → blocked`.
std::string conversionTitle(const ConversionFacts &facts);

/// What one execution by a program costs: instructions, bytes, wavefronts.
std::string conversionCost(const ConversionFacts &facts);
/// The same in a word or two, for a table.
std::string shortCost(const ConversionFacts &facts);
/// `25 % stay, 75 % come from another lane`.
std::string movesSentence(const MoveCounts &counts);
/// What the two layouts are for, and which pass made the conversion.
std::string originSentence(const ConversionFacts &facts);
/// Under which circumstances there would be no conversion: only what follows from the facts.
std::string removalSentence(const ConversionFacts &facts);

} // namespace tilescope::compiler::access
