// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SameRandoms.h"

#include "app/commands/KernelText.h"

#include <set>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;

namespace {
/// What depends on the number of the program, as far as names tell.
class OfProgram {
public:
  explicit OfProgram(const KernelText &kernel) {
    size_t before = 0;
    do {
      before = m_names.size();
      kernel.walk([this](const ast::Node &node) { spread(node); });
    } while (m_names.size() > before);
  }

  /// Also where a function of the file is called, which may ask for it, or something is loaded.
  bool mayTake(const ast::Node &code) const {
    bool found = false;
    ast::walk(code, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      const auto *call = ast::as<ast::Call>(&node);
      found |= (name && m_names.contains(name->id)) || KernelText::callOf(&node, "program_id") ||
               KernelText::callOf(&node, "load") || KernelText::callOf(&node, "atomic_add") ||
               (call && ast::is<ast::Name>(call->func));
      return !found;
    });
    return found;
  }

private:
  void spread(const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    const auto *loop = ast::as<ast::For>(&node);
    const ast::Expr *value = assign   ? assign->value
                             : update ? update->value
                             : loop   ? loop->iter
                                      : nullptr;
    const ast::Expr *target = assign   ? assign->targets.front()
                              : update ? update->target
                              : loop   ? loop->target
                                       : nullptr;
    if (!value || !mayTake(*value))
      return;
    // A tuple has several.
    ast::walk(*target, [&](const ast::Node &part) {
      if (const auto *name = ast::as<ast::Name>(&part))
        m_names.insert(name->id);
      return true;
    });
  }

  std::set<std::string_view> m_names;
};
} // namespace

std::vector<compiler::Diagnostic> sameRandoms(std::string_view text,
                                              const profiler::LaunchPlan &plan) {
  const int64_t programs = plan.grid[0] * plan.grid[1] * plan.grid[2];
  const KernelText kernel(text, plan.kernel);
  std::vector<compiler::Diagnostic> notes;
  if (programs < 2 || !kernel.function())
    return notes;
  const OfProgram ofProgram(kernel);
  kernel.walk([&](const ast::Node &node) {
    for (const std::string_view function :
         {"rand", "randn", "randint", "rand4x", "randn4x", "randint4x"}) {
      const ast::Call *call = KernelText::callOf(&node, function);
      if (!call || ofProgram.mayTake(*call))
        continue;
      compiler::Diagnostic note;
      note.kind = compiler::DiagnosticKind::RunLaunchUnfit;
      note.severity = compiler::Severity::Note;
      note.range = call->range;
      note.message = "`tl." + std::string(function) + "` gives all " + std::to_string(programs) +
                     " programs the same numbers: neither its seed nor its offsets depend on the "
                     "program";
      note.notes.emplace_back(
          "offsets that begin at the program's own place, such as "
          "`tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`, give each its own");
      notes.push_back(std::move(note));
    }
  });
  return notes;
}

} // namespace tilescope::app
