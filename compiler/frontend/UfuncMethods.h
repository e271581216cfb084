// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels write for the methods of NumPy's functions:
//
//     np.add.at(out, i, v)          tl.atomic_add(out + i, v)
//     np.add.reduce(v)              tl.sum(v, axis=0)
//     np.maximum.accumulate(v)      tl.associative_scan with a function that returns tl.maximum(a, b)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Says what to write where the diagnostic is about such a method, with a fix where one call does
/// the same. Returns whether it is one.
bool explainUfuncMethod(Diagnostic &diagnostic, const Frame &frame);

} // namespace tilescope::compiler::frontend
