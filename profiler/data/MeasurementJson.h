// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// The document that `run --json` and `profile --json` print; scripts rely on its names.
namespace tilescope::profiler {

nlohmann::json measurementToJson(const Measurement &measurement);
/// Throws an exception of the standard library or of nlohmann-json when the object is none.
Measurement measurementFromJson(const nlohmann::json &object);
nlohmann::json deviceToJson(const DeviceInfo &device);
/// Throws as `measurementFromJson` does.
DeviceInfo deviceFromJson(const nlohmann::json &object);

std::string measurementToText(const Measurement &measurement);
Result<Measurement> measurementFromText(std::string_view text);

} // namespace tilescope::profiler
