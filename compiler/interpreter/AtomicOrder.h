// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>

namespace tilescope::compiler::interpreter {

/// How an atomic operation orders programs (ProgramOrder.h): Instruction::number[1], added up.
inline constexpr int64_t kAcquires = 1;
inline constexpr int64_t kReleases = 2;
/// Its program may wait for what it returns.
inline constexpr int64_t kAwaited = 4;
/// It is atomic for the threads of one block alone.
inline constexpr int64_t kOfOneBlock = 8;
/// What it returns is stored, or what is made of it, and decides nothing else.
inline constexpr int64_t kReadsData = 16;

} // namespace tilescope::compiler::interpreter
