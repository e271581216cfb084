// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::compiler {

/// The rule of a `ModelRewrite` by which images become [N, H, W, C].
inline constexpr const char *kChannelsLast = "channels last";

} // namespace tilescope::compiler
