// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "views/common/Theme.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// How a text is colored. All of these can be colored line by line, without state.
enum class TextLanguage { Plain, Ast, Mlir, Llvm, Assembly, Ptx, Sass };

TextLanguage stageLanguage(compiler::StageId stage);

/// A stretch of one line, in bytes. Text between tokens has the color of plain text.
struct ColoredToken {
  uint32_t begin = 0;
  uint32_t length = 0;
  ColorRole role = ColorRole::Text;
  bool operator==(const ColoredToken &) const = default;
};

/// Tokens of one line in order, not overlapping.
std::vector<ColoredToken> colorLine(TextLanguage language, std::string_view line);

} // namespace tilescope::views
