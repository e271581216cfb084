// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"

#include <string>

namespace tilescope::app {

/// A tensor of a file: NumPy's `.npy`, or `.pb`, one `TensorProto` of ONNX with its elements inside, as the
/// `test_data_set_*` folders beside models have them. The error names the file.
Result<profiler::Tensor> readTensorFile(const std::string &path);

} // namespace tilescope::app
