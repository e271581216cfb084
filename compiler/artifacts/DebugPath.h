// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <string_view>

namespace tilescope::compiler {

/// A file's path as debug information in PTX names it: the assembler takes neither characters
/// beyond ASCII nor quotes, so these, blanks, control characters and `%` are written `%C3`, as in
/// URLs.
std::string encodeDebugPath(std::string_view path);
/// The path again. Other texts come back as they are.
std::string decodeDebugPath(std::string_view encoded);

} // namespace tilescope::compiler
