// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensor cores multiply blocks of channels, so the channels of a pixel should lie side by side. In models they do not:
//
//   [N, C, H, W]     pixel 0 of channel 0, pixel 1 of channel 0, …        as models have it
//   [N, H, W, C]     channel 0 of pixel 0, channel 1 of pixel 0, …        channels last
//
// Convolutions of narrow types become such of channels last, with their weights as [M, height, width, C], and so does
// what comes between them: elements, pooling, means of images. What needs the model's order is transposed, which its
// kernel does where it stores the elements.
//
//   conv 1 × 1                                becomes     gemm of [N · H · W, C] and [M, C]
//   conv with windows beside each other       becomes     gemm of [N · windows, C · taps] and [M, C · taps]
//   conv of 3 channels, window 7 × 7          becomes     pad to 4 channels, conv with a window of 7 × 8
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/model/canonical/ConstantReals.h"
#include "compiler/model/canonical/TensorOps.h"

namespace tilescope::model {

/// Images of symbolic extents stay as they are. Weights that files hold stay there, with another order.
void layOutChannelsLast(mlir::func::FuncOp function, const WeightBytes &weights,
                        compiler::ModelResult &result);

} // namespace tilescope::model
