// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/GraphBuilder.h"
#include "compiler/model/torch_export/ExportFiles.h"

namespace tilescope::model {

/// A weight of the file as a value: mapped, or a constant where it is small or its elements are not
/// beside each other. The error, without the weight's name, says what is wrong with its place.
Result<mlir::Value> weightValue(GraphBuilder &graph, const std::string &name,
                                const StoredWeight &weight, mlir::RankedTensorType type,
                                const ExportFiles &files);

} // namespace tilescope::model
