// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::profiler {

std::string encodeBase64(std::string_view bytes);
/// Nothing when the text is not base64 with padding.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace tilescope::profiler
