// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::compiler::interpreter {

/// Element types of the factors of tt.dot_scaled, numbered as its attributes are.
enum class ScaledKind { E4M3, E5M2, E2M3, E3M2, E2M1, BF16, FP16 };

} // namespace tilescope::compiler::interpreter
