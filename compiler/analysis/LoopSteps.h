// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/IndexBounds.h"
#include "compiler/analysis/SizeValues.h"
#include "compiler/artifacts/CompileResult.h"

namespace tilescope::compiler {

/// Tells sizes in what steps loops go over them, as far as these are constant.
void noteLoopSteps(mlir::FunctionOpInterface kernel, const IndexBounds &bounds,
                   const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes);

/// Tells sizes that nothing but loops end at, one element at a time, beside blocks of other sizes: coefficients of a
/// polynomial, taps of a filter. A few of them show all that many do.
void noteFewTurns(mlir::FunctionOpInterface kernel, const IndexBounds &bounds,
                  const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes);

/// Tells sizes that windows lie in them: `n` of `i * 2 + k < n` for `i < n_out`.
void noteWindows(mlir::FunctionOpInterface kernel, const IndexBounds &bounds,
                 const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes);

/// Tells sizes that others are divided by: there are a few parts, all of them as long.
void noteDivisors(mlir::FunctionOpInterface kernel, const IndexBounds &bounds,
                  const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes);

} // namespace tilescope::compiler
