// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilescope::fuzz {

/// A kernel file grown from a grammar, each choice taken from the next byte. Most are wrong in some
/// way — types that do not go together, names that are not bound — but all are nearly right, so the
/// frontend gets far into them. No bytes left: every choice is the first, which ends.
std::string kernelFromBytes(const uint8_t *data, size_t size);

} // namespace tilescope::fuzz
