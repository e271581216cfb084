// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <array>

namespace tilescope::app {

/// An arrangement of the docks for one kind of work. Each has a key, Alt+1 for the first, and
/// remembers what the user changed in it.
enum class Workspace { Write, See, Measure, Learn, Model };

struct WorkspaceKind {
  Workspace id;
  /// In sessions and names of commands: `see`.
  const char *name;
  const char *title;
  /// What it is for, in a tool tip.
  const char *tip;
};

/// In the order of their keys.
inline constexpr std::array<WorkspaceKind, 5> kWorkspaces{
    {{Workspace::Write, "write", QT_TRANSLATE_NOOP("Workspace", "Write"),
      QT_TRANSLATE_NOOP("Workspace", "The editor, one stage, and what is wrong")},
     {Workspace::See, "see", QT_TRANSLATE_NOOP("Workspace", "See"),
      QT_TRANSLATE_NOOP("Workspace", "The editor, stages, and pictures of what they do")},
     {Workspace::Measure, "measure", QT_TRANSLATE_NOOP("Workspace", "Measure"),
      QT_TRANSLATE_NOOP("Workspace", "The editor, what the GPU executes, and runs")},
     {Workspace::Learn, "learn", QT_TRANSLATE_NOOP("Workspace", "Learn"),
      QT_TRANSLATE_NOOP("Workspace", "A lesson, the editor, one picture, and the result")},
     {Workspace::Model, "model", QT_TRANSLATE_NOOP("Workspace", "Model"),
      QT_TRANSLATE_NOOP("Workspace", "A model, its kernels, and the editor")}}};

const WorkspaceKind &workspaceKind(Workspace workspace);
/// `See` for a name that none has.
Workspace workspaceNamed(const QString &name);

} // namespace tilescope::app
