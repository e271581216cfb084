// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/Assumption.h"

namespace tilescope::compiler {

std::string sentence(const Assumption &assumption) {
  const std::string fact = "`" + assumption.parameter +
                           (assumption.isConstant ? "` = `" : "` is `") + assumption.text + "`";
  return assumption.reason.empty() ? fact : fact + ": " + assumption.reason;
}

std::vector<std::string> sentences(const std::vector<Assumption> &assumptions) {
  std::vector<std::string> result;
  for (const Assumption &assumption : assumptions)
    result.push_back(sentence(assumption));
  return result;
}

} // namespace tilescope::compiler
