// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a window and a report say of accesses, in the same words.
#pragma once

#include "compiler/access/picture/AccessPicture.h"

#include <optional>
#include <string>

namespace tilescope::compiler::access {

/// Which part of what is moved is used, from 0 to 1: of the bytes fetched, or of the passes through
/// shared memory the least that would do. Nothing for an access that moved nothing.
std::optional<double> efficiency(const AccessFacts &facts);
/// The accesses as positions, those first that waste the largest part, of equals those that waste
/// the most; last those that moved nothing.
std::vector<size_t> worstFirst(const std::vector<AccessFacts> &accesses);

/// How much a lane moves at once and why not more, as a sentence.
std::string widthSentence(const AccessFacts &facts);
/// What a GPU's counters have that is not counted, as a sentence; empty: nothing.
std::string counterSentence(const AccessFacts &facts);
/// `global load of x_ptr`.
std::string accessTitle(const AccessFacts &facts);

/// `lane 3`, `lanes 0–7`, `16 lanes`; and short, for a label: `3`, `0–7`, `×16`.
std::string lanesText(uint32_t lanes);
std::string lanesLabel(uint32_t lanes);

/// `12 %`; nothing is known of an empty whole: `—`.
std::string percentText(uint64_t part, uint64_t whole);

/// The element of an argument at an address: `x_ptr[3, 17]`; outside of its shape, or where that is
/// not known, as `offsetText` has it.
std::string addressText(const AccessRecord &record, int64_t address);
/// Where in its argument an address is: `x_ptr + 0x1000`.
std::string offsetText(const AccessRecord &record, int64_t address);
/// `[3, 17]`.
std::string indexText(const std::vector<int64_t> &index);

} // namespace tilescope::compiler::access
