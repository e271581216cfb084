// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/ptx/PtxModule.h"
#include "compiler/ptx/PtxType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::compiler {

/// Result bits of an instruction without memory, control or other lanes: `add.f32`, `prmt.b32`,
/// `cvt.…`. `inputs` are the source operands' bits. Nothing when the instruction is not known.
std::optional<uint64_t> evaluateScalar(const PtxInstruction &instruction, const uint64_t *inputs,
                                       size_t numInputs);

/// `setp`: whether the comparison named by the first modifier holds.
std::optional<bool> evaluateCompare(const PtxInstruction &instruction, uint64_t lhs, uint64_t rhs);

/// The new value that `atom`/`red` stores for the operation `op` (`add`, `min`, `exch`, `cas` …).
std::optional<uint64_t> evaluateAtomic(std::string_view op, PtxType type, uint64_t memory,
                                       uint64_t operand, uint64_t swap);

} // namespace tilescope::compiler
