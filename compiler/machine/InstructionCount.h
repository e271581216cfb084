// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>

namespace tilescope::compiler::machine {

/// Of all sections of a cubin, without what only fills their ends; 0 for what is not one.
int64_t numInstructions(std::string_view cubin);

} // namespace tilescope::compiler::machine
