// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The instructions behind `evaluateScalar`, by the values that they compute with. Each function
// returns the result's bits, or nothing for an instruction that it does not know.
#pragma once

#include "compiler/ptx/PtxModule.h"
#include "compiler/ptx/PtxType.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilescope::compiler {

// PtxFloat.cpp
std::optional<uint64_t> evaluateFloat(const PtxInstruction &instruction, PtxType type,
                                      const uint64_t *inputs, size_t numInputs);
/// `value` as the instruction sees it: with `.ftz`, zero in the place of a denormal number.
double flushDenormal(const PtxInstruction &instruction, PtxType type, double value);

// PtxInteger.cpp
std::optional<uint64_t> evaluateInteger(const PtxInstruction &instruction, PtxType type,
                                        const uint64_t *inputs, size_t numInputs);
/// `add.s16x2` and the like: two integers in one register, without a carry between them.
std::optional<uint64_t> evaluateIntegerPair(const PtxInstruction &instruction, PtxType type,
                                            const uint64_t *inputs, size_t numInputs);

// PtxConvert.cpp
/// `cvt.modifiers.to.from`.
std::optional<uint64_t> evaluateConvert(const PtxInstruction &instruction, const uint64_t *inputs);

} // namespace tilescope::compiler
