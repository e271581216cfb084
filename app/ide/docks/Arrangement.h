// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/docks/Workspace.h"
#include "compiler/artifacts/Stage.h"

#include <QStringList>

#include <optional>

class QMainWindow;

namespace tilescope::app {

class DockSet;
class ViewDock;

/// Of a column that the user has opened beside the stage's own: `stage.ttgir.2`, `TTGIR (2)`.
QString extraColumnId(compiler::StageId stage, int number);
QString titleOfExtraColumn(const QString &id);
/// Nothing: it is no such column.
std::optional<compiler::StageId> stageOfExtraColumn(const QString &id);

/// How the docks of a workspace lie in its default arrangement. In See:
///
///     ┌ files ────────┬ AST TTIR ─────┬ TTGIR LLVM IR PTX SASS ┐   stages, in order; in a window
///     │ editor        │ column        │ column                 │   of less than 1500 pixels one
///     │               ├ Layout Access Shared memory … ─────────┤   column has them all
///     │               │ picture                                │
///     ├ Problems Passes Run Step Console ──────────────────────┤
///     └────────────────────────────────────────────────────────┘
///
/// Write has no pictures and one column; Measure has Run where See has pictures, and SASS in front;
/// Learn has a lesson at the left of the editor, pictures at its right, Run below, and no stages;
/// Model has no pictures, and its table below.
void arrangeDocks(DockSet &docks, QMainWindow &window, Workspace workspace);
/// The sizes that go with it, for the window as it is.
void sizeDocks(DockSet &docks, QMainWindow &window, Workspace workspace);

/// Stages that the target does not have leave their places to those that it has there: TTGIR to CPU
/// IR, PTX and SASS to assembly, and back. `isCpu`: the target is a processor, not a GPU.
void showStagesOf(DockSet &docks, bool isCpu);

/// The dock that a view is a tab of by default; empty for one that others are tabs of.
QString placeOfDock(const QString &id, Workspace workspace);

/// Moves the stages behind `front`'s, of those that share its place, into a column at its right;
/// of the last one, that stage itself. False: nothing shares its place.
bool splitRight(DockSet &docks, QMainWindow &window, ViewDock *front);
/// All stages beside the editor become tabs of one column.
void joinColumns(DockSet &docks, QMainWindow &window);

} // namespace tilescope::app
