// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DiagnosticKind.h"

namespace tilescope::compiler {

std::string_view diagnosticId(DiagnosticKind kind) {
  switch (kind) {
#define TILESCOPE_DIAGNOSTIC(name, id)                                                             \
  case DiagnosticKind::name:                                                                       \
    return id;
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
  }
  return "internal";
}

} // namespace tilescope::compiler
