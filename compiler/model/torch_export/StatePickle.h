// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files of `torch.save` that hold tensors by name. Such a file is a zip with a pickle, a program that
// Python runs and that may do anything there. Here only those of its steps are followed that make
// dictionaries of tensors; nothing is called, and any other step is an error.
#pragma once

#include "compiler/model/torch_export/ExportArchive.h"
#include "compiler/model/torch_export/ExportedProgram.h"

namespace tilescope::model {

/// Tensors by name, of a file of `torch.save` that lies at the place. Their places are from the begin
/// of `file`.
Result<std::map<std::string, StoredWeight>> pickledTensors(std::string_view file,
                                                           ExportArchive::Place place);
/// The only tensor of such a file.
Result<StoredWeight> pickledTensor(std::string_view file, ExportArchive::Place place);

} // namespace tilescope::model
