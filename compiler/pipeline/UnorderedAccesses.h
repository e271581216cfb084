// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which stores and loads of one program its warps may execute in either order. TTIR does not say
// which warp holds an element; TTGIR does, and whether anything between the two makes warps wait: a
// barrier, or an exchange through shared memory. So a kernel that stores to a tensor and accesses it at
// another place, too, is compiled that far before it is run on the CPU.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/Stages.h"

namespace tilescope::compiler {

/// Of a kernel in TTIR, which is not changed. Nothing where TTGIR cannot be made of it.
WarpOrder unorderedAccesses(CompileJob &job, const TtirKernel &kernel);

} // namespace tilescope::compiler
