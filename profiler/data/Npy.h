// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/Tensor.h"

#include <string>
#include <string_view>

/// NumPy's file format, version 1.0. Files are written in C order; those in Fortran's are read, too.
///
/// Types that NumPy does not know are written as a structured type with one field, named after the
/// type, that holds the raw bits: `[('bf16', '<u2')]`, `[('fp8e4nv', '|u1')]`. So
/// `numpy.load(f)['bf16']` returns the bits, and the file still says what they mean.
namespace tilescope::profiler {

std::string encodeNpy(const Tensor &tensor);
Result<Tensor> decodeNpy(std::string_view bytes);

Status writeNpy(const std::string &path, const Tensor &tensor);
/// `NAME.npy` in the folder.
Status writeNpy(const OutputFolder &folder, const std::string &name, const Tensor &tensor);
Result<Tensor> readNpy(const std::string &path);

} // namespace tilescope::profiler
