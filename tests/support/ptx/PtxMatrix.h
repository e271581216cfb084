// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/ptx/PtxModule.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::tests {

using namespace compiler;

/// The registers that each lane of a warp contributes to one operand of a matrix instruction.
using PtxFragments = std::array<std::vector<uint32_t>, 32>;

/// `mma.sync.aligned.m16n8k*`: what each lane receives. Sums are exact in double precision and
/// rounded once; tf32 factors lose the bits that the format lacks. Nothing for an unknown form.
/// Source: PTX ISA, "Matrix fragments for mma.m16n8k8", "… k16", "… k32".
std::optional<PtxFragments> multiplyFragments(const PtxInstruction &instruction,
                                              const PtxFragments &left, const PtxFragments &right,
                                              const PtxFragments &sums);

} // namespace tilescope::tests
