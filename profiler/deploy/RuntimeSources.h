// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tilescope::profiler {

/// The files in `runtime/`, by name.
std::span<const std::pair<std::string_view, std::string_view>> runtimeSources();

} // namespace tilescope::profiler
