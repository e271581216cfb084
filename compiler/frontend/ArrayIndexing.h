// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arrays that are indexed as on the host. A kernel has their address, and says what it reads and
// writes:
//
//     y = x[row, cols]        y = tl.load(x + row * stride + cols)
//     out[i] = y              tl.store(out + i, y)
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// For an index of a pointer at the current place.
[[noreturn]] void failArrayRead(Emitter &emitter);

/// Fails where `statement` writes `written`, its value, to an element of a pointer.
void checkArrayWrite(Emitter &emitter, const ast::Assign &statement, const Value &written);
void checkArrayWrite(Emitter &emitter, const ast::AugAssign &statement);

} // namespace tilescope::compiler::frontend
