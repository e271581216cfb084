// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Values that a file's text determines, worked out without running it.
//
//   from triton import Config, next_power_of_2
//   WIDTH = next_power_of_2(100)
//   CONFIGS = [Config({"BLOCK": WIDTH * n}) for n in range(1, 5)]
//
//   WIDTH is 128; CONFIGS is a list of four configurations
#pragma once

#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/ModuleIndex.h"

#include <string>

namespace tilescope::compiler::inference {

/// An environment in which the names that a file defines or imports at its top level have their
/// values. Names that refer to each other in a circle have none. The number of names that it looks
/// up is limited, so an evaluation in it ends soon, whatever the file says. `index` must outlive it.
constant::Environment moduleEnvironment(const ast::ModuleIndex &index);

/// `value` as an expression of the kernel language: `128`, `"relu"`, `tl.float16`.
std::string languageText(const constant::Value &value);

} // namespace tilescope::compiler::inference
