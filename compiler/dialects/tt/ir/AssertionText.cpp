// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/AssertionText.h"

namespace tilescope::tt {

std::string assertionText(AssertOp assertion) {
  const std::string message = assertion.getMessage().str();
  return assertion->hasAttr(kPromiseAttr) ? message : "the assertion does not hold: " + message;
}

} // namespace tilescope::tt
