// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

/// `96 B`, `1.5 KiB`, `64 KiB`, ….
std::string bytesText(uint64_t bytes);

} // namespace tilescope
