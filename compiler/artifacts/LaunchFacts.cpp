// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/LaunchFacts.h"

namespace tilescope::compiler {

std::string Configuration::text(std::string_view separator) const {
  std::string text;
  for (const auto *part : {&constexprs, &options})
    for (const auto &[name, value] : *part)
      text.append(text.empty() ? "" : separator).append(name).append("=").append(value);
  return text;
}

} // namespace tilescope::compiler
