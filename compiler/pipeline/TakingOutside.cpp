// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TakingOutside.h"

#include <algorithm>

namespace tilescope::compiler {

void noteTakingOutside(const Interpretation &interpretation, std::vector<Diagnostic> &diagnostics) {
  const auto load = std::ranges::find(
      interpretation.findings, InterpreterFindingKind::OutOfBoundsLoad, &InterpreterFinding::kind);
  if (interpretation.takingOutside.empty() || load == interpretation.findings.end())
    return;
  const auto isOfLoad = [&](const Diagnostic &each) {
    return each.kind == DiagnosticKind::RunAccessOutside &&
           (each.range == load->range ||
            std::ranges::find(each.labels, load->range, &DiagnosticLabel::range) !=
                each.labels.end());
  };
  const auto told = std::ranges::find_if(diagnostics, isOfLoad);
  if (told == diagnostics.end())
    return;
  told->cause.outputs = interpretation.takingOutside;
  std::string names;
  for (const std::string &name : interpretation.takingOutside)
    names += (names.empty() ? "`" : ", `") + name + "`";
  told->notes.push_back("what is read there is 0 here, and anything on a GPU: " + names +
                        (interpretation.takingOutside.size() == 1 ? " depends" : " depend") +
                        " on it");
}

} // namespace tilescope::compiler
