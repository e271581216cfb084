// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/StepState.h"

#include <QObject>

#include <functional>

namespace tilescope::views {
class KernelEditor;
}

namespace tilescope::app {

class ActionTable;
class DockSet;
class StepController;

/// The commands of step mode: keys, buttons of the view, and the dialog for the condition of a
/// breakpoint.
class StepCommands : public QObject {
  Q_OBJECT
public:
  /// What the commands work with; all of it outlives them.
  struct Parts {
    StepController *steps = nullptr;
    ActionTable *actions = nullptr;
    DockSet *docks = nullptr;
    /// The editor in front; null: none.
    std::function<views::KernelEditor *()> editor;
    /// Compiles the file in front if that has not been asked for yet.
    std::function<void()> compile;
  };
  StepCommands(Parts parts, QObject *parent);

private:
  void create();
  void createChoices();
  void act(compiler::StepAction action);
  void askForCondition();

  Parts m_parts;
};

} // namespace tilescope::app
