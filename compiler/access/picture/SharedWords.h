// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a window and a report say of shared memory, in the same words.
#pragma once

#include "compiler/access/picture/AccessWords.h"
#include "compiler/artifacts/SharedFacts.h"

namespace tilescope::compiler::access {

/// `24 KiB of 227 KiB (11 %): 2 buffers, 1 scratch`; more than there is is said, too.
std::string sharedSentence(const SharedFacts &facts);
/// `a: 3 slots of fp16[64, 32]`, `scratch: handing a block of fp32[64, 64] between threads`.
std::string bufferTitle(const SharedBuffer &buffer);
/// Short, for a label: `a, 3 slots`, `scratch`.
std::string bufferLabel(const SharedBuffer &buffer);
/// `bytes 0 to 4095 · 4 KiB`.
std::string placeSentence(const SharedBuffer &buffer);
/// From which line of the source to which it is needed: `lines 12 to 40`, `line 12`.
std::string lifeText(const SharedFacts &facts, size_t buffer);
/// Who has the same bytes at other times, as a sentence; empty where nothing has.
std::string sharersSentence(const SharedFacts &facts, size_t buffer);
/// `local load by ttg.local_load: 64 wavefronts, at least 64`, or why it is not counted.
std::string sharedAccessTitle(const SharedAccess &access);
/// Lines of the source of a row: `12`, `12–15`; empty where none is known.
std::string stepsText(const SharedFacts &facts, uint32_t begin, uint32_t end);
/// `fills 5`, `reads 3`, `holds 4`, …: what happens to a slot of a ring.
std::string ringCellText(int32_t block, bool isWritten, bool isRead);

} // namespace tilescope::compiler::access
