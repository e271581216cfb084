// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::compiler::interpreter {

/// The operations of tt.atomic_rmw, numbered as its attribute is.
enum class AtomicKind { And = 1, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Exchange };

} // namespace tilescope::compiler::interpreter
