// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::compiler {

/// Has `handler` called with LLVM's reason before LLVM ends the process, and has it end by SIGABRT
/// rather than by an exit. For programs that report their own crashes.
void installFatalErrorHandler(void (*handler)(const char *reason));

} // namespace tilescope::compiler
