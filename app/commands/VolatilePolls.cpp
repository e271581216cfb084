// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/VolatilePolls.h"

#include "app/commands/KernelText.h"
#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

static bool isVolatile(const ast::Call &load) {
  const ast::Expr *flag = compiler::argument(load, 7, "volatile");
  const auto *constant = flag ? ast::as<ast::Constant>(flag) : nullptr;
  return constant && constant->constantKind == ast::ConstantKind::True;
}

/// The load that a loop waits with; null: it does not, or an atomic operation orders what follows.
static const ast::Call *pollOf(const ast::While &loop) {
  const ast::Call *poll = nullptr;
  bool isOrdered = false;
  ast::walk(loop, [&](const ast::Node &node) {
    for (const std::string_view atomic : {"atomic_add", "atomic_cas", "atomic_or", "atomic_xchg"})
      isOrdered |= KernelText::callOf(&node, atomic) != nullptr;
    return !isOrdered;
  });
  ast::walk(*loop.test, [&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    if (load && isVolatile(*load))
      poll = load;
    return !poll;
  });
  return isOrdered ? nullptr : poll;
}

/// The array, or the variable with addresses, that an access goes by.
static std::string_view placeOf(const ast::Call &access) {
  std::string_view found;
  if (!access.args.empty())
    ast::walk(*access.args.front(), [&](const ast::Node &node) {
      if (const auto *name = ast::as<ast::Name>(&node); name && found.empty())
        found = name->id;
      return found.empty();
    });
  return found;
}

void noteVolatilePolls(const LaunchRequest &request, LaunchRun &run) {
  if (!run.plan || !run.measurement)
    return;
  const KernelText kernel(request.input.text, run.plan->kernel);
  std::vector<std::string_view> stored;
  kernel.walk([&](const ast::Node &node) {
    if (const ast::Call *store = KernelText::callOf(&node, "store"))
      stored.push_back(placeOf(*store));
  });
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::While>(&node);
    const ast::Call *poll = loop ? pollOf(*loop) : nullptr;
    if (!poll)
      return;
    bool readsOthers = false;
    kernel.walk([&](const ast::Node &later) {
      const ast::Call *load = KernelText::callOf(&later, "load");
      readsOthers |= load && loop->range.end <= load->range.begin && !isVolatile(*load) &&
                     std::ranges::find(stored, placeOf(*load)) != stored.end();
    });
    if (readsOthers)
      run.measurement->notes.push_back(fmt::format(
          "line {}: `volatile=True` orders nothing: on a GPU, what is loaded behind this loop may "
          "be older than what the loop has seen; `tl.atomic_add({}, 0)` in its place orders both",
          poll->range.begin.line + 1,
          poll->args.empty() ? std::string("…") : std::string(kernel.text(*poll->args.front()))));
  });
}

} // namespace tilescope::app
