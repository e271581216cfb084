// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/onnx/ModelFiles.h"

namespace tilescope::model {

/// What a tensor of the model becomes: a constant of the module, or a weight that a file holds.
struct ReadTensor {
  mlir::RankedTensorType type;
  /// Null: `place` says where the elements are.
  mlir::ElementsAttr elements;
  TensorBytes place;
};

/// The error names the tensor.
Result<ReadTensor> readTensor(mlir::MLIRContext *context, const onnx::TensorProto &tensor,
                              ModelFiles &files);

} // namespace tilescope::model
