// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::profiler {

/// `{"code", "message", "hint"}`; `code` is one of `invalid_input`, `usage`, `environment`,
/// `cancelled`, `internal`.
nlohmann::json errorToJson(const Error &error);
Error errorFromJson(const nlohmann::json &object);

} // namespace tilescope::profiler
