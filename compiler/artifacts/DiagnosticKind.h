// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>

namespace tilescope::compiler {

/// The registry of everything Tilescope can say about a kernel; one line each in
/// DiagnosticKinds.def.
enum class DiagnosticKind : uint16_t {
#define TILESCOPE_DIAGNOSTIC(name, id) name,
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
};

inline constexpr int kNumDiagnosticKinds = 0
#define TILESCOPE_DIAGNOSTIC(name, id) +1
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
    ;

/// The stable identifier shown to users and scripts, e.g. `syntax-expected-token`.
std::string_view diagnosticId(DiagnosticKind kind);

} // namespace tilescope::compiler
