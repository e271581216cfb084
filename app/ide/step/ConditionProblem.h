// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <string>
#include <vector>

namespace tilescope::app {

/// The texts in which the names of a condition are to be found.
struct ConditionNames {
  /// The stage's text, for names with `%`; empty: it is not known, and every such name will do.
  std::string ir;
  std::string irTitle;
  /// Of the document and of the files that it imports; empty: every name will do.
  std::vector<std::string> sources;
};

/// What is wrong with the condition of a breakpoint; empty: nothing.
QString conditionProblem(const QString &condition, const ConditionNames &names);

} // namespace tilescope::app
