// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CompilerVersion.h"

#include "llvm/Config/llvm-config.h"

namespace tilescope::compiler {

std::string llvmVersion() { return LLVM_VERSION_STRING; }

} // namespace tilescope::compiler
