// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How the texts of stages are read for what they cost.
#pragma once

#include "views/stages/StageCosts.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// Of PTX, of LLVM IR with its own accesses and those in its assembly, and of SASS.
StageCosts countPtxCosts(std::string_view text);
StageCosts countLlvmCosts(std::string_view text);
StageCosts countSassCosts(std::string_view text);

template <typename Visit> void eachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

inline bool has(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

inline size_t indentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The digits at the beginning of a text; 0: there are none.
inline int64_t leadingNumber(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The parts of `ld.global.v4.b32`.
inline std::vector<std::string_view> partsOf(std::string_view instruction) {
  std::vector<std::string_view> parts;
  while (!instruction.empty()) {
    const size_t end = instruction.find('.');
    parts.push_back(instruction.substr(0, end));
    instruction = end == std::string_view::npos ? std::string_view() : instruction.substr(end + 1);
  }
  return parts;
}

/// Whether a part is one of these letters with a number behind it, as `b32` and `v4` are.
inline bool isNumbered(std::string_view part, std::string_view letters) {
  return part.size() > 1 && letters.find(part[0]) != std::string_view::npos &&
         part.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

} // namespace tilescope::views
