// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/GoalKinds.h"

#include "app/lesson/KindIds.h"

#include <array>

namespace tilescope::app {

static constexpr std::array kKinds = {
#define TILESCOPE_GOAL(name, id, bound, needs)                                                     \
  GoalKindFacts{GoalKind::name, id, GoalBound::bound, GoalNeeds::needs},
#include "app/lesson/GoalKinds.def"
#undef TILESCOPE_GOAL
};

const GoalKindFacts &goalKindFacts(GoalKind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::optional<GoalKind> findGoalKind(std::string_view id) { return findKind(kKinds, id); }

std::string goalKindNames() { return kindIds(kKinds); }

} // namespace tilescope::app
