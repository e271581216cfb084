// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LastAssignment.h"

namespace tilescope::compiler::frontend {

void forEachAssignment(const Frame &frame, std::string_view name,
                       const std::function<void(const ast::Assign &)> &visit) {
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign && assign->targets.size() == 1
                               ? ast::as<ast::Name>(assign->targets.front())
                               : nullptr;
      if (target && target->id == name)
        visit(*assign);
      return true;
    });
}

const ast::Assign *lastAssignment(const Frame &frame, const ast::Name &use) {
  const ast::Assign *last = nullptr;
  forEachAssignment(frame, use.id, [&](const ast::Assign &assign) {
    if (assign.range.begin < use.range.begin)
      last = &assign;
  });
  return last;
}

} // namespace tilescope::compiler::frontend
