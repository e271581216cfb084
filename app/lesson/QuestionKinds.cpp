// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/QuestionKinds.h"

#include "app/lesson/KindIds.h"

#include <array>

namespace tilescope::app {

static constexpr std::array kKinds = {
#define TILESCOPE_QUESTION(name, id, form, needs, view)                                            \
  QuestionKindFacts{QuestionKind::name, id, AnswerForm::form, GoalNeeds::needs, view},
#include "app/lesson/QuestionKinds.def"
#undef TILESCOPE_QUESTION
};

const QuestionKindFacts &questionKindFacts(QuestionKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

std::optional<QuestionKind> findQuestionKind(std::string_view id) { return findKind(kKinds, id); }

std::string questionKindNames() { return kindIds(kKinds); }

const std::vector<std::string> &occupancyLimiters() {
  static const std::vector<std::string> kNames = {"warps", "blocks", "registers", "shared memory"};
  return kNames;
}

} // namespace tilescope::app
