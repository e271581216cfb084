// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stages and kinds of diagnostics and hints travel as numbers, so two programs understand each other only if
// their tables have the same rows in the same order. The version that they compare is computed from
// the names in these tables, and from a number for the fields of messages.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tilescope::compiler {

/// Differs (but for an unlikely chance) wherever `format`, a name or the order of names differs.
constexpr uint32_t protocolVersion(uint32_t format, std::span<const std::string_view> names) {
  // FNV-1a; a byte that no name has ends each of them.
  uint32_t hash = 2166136261u;
  const auto add = [&hash](uint32_t byte) { hash = (hash ^ byte) * 16777619u; };
  add(format);
  for (const std::string_view name : names) {
    for (const char c : name)
      add(static_cast<unsigned char>(c));
    add(0xff);
  }
  return hash;
}

/// Of this program's tables.
constexpr uint32_t protocolVersion(uint32_t format) {
  constexpr auto kNames = std::to_array<std::string_view>({
#define TILESCOPE_STAGE(id, name, ...) name,
#include "compiler/artifacts/StageKinds.def"
#undef TILESCOPE_STAGE
#define TILESCOPE_DIAGNOSTIC(name, id) id,
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
#define TILESCOPE_HINT(name, id) id,
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT
  });
  return protocolVersion(format, kNames);
}

} // namespace tilescope::compiler
