// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "views/help/Glossary.h"

namespace tilescope::views {
class KernelEditor;
class ProblemsView;
} // namespace tilescope::views

namespace tilescope::app {

class StageColumns;
class ViewDock;

/// Every page that `tilescope help` knows, for the window.
views::HelpSource helpSource();

/// The section of the functions of `tl`.
QString languageSection();

/// What the user looks at. Null: not there.
struct HelpPlace {
  const views::KernelEditor *editor = nullptr;
  const views::ProblemsView *problems = nullptr;
  /// The view that has the keyboard.
  const ViewDock *view = nullptr;
};

/// The word at the cursor, else the problem there; the operation of the current line of a stage; the
/// problem that is chosen; or the view.
QString helpTopic(const HelpPlace &place, const views::HelpSource &source);

/// The first sentences of the page of the word at a column of a line of a stage, for a tool tip: of an
/// operation of the IR, a layout or an instruction, whatever widths and types are behind it. Empty: no
/// page is of it.
QString hoveredHelp(const QString &line, int column, compiler::StageId stage,
                    const views::HelpSource &source);

/// Columns say what the word under the pointer means. `source` is asked when it is needed.
void showHelpInColumns(StageColumns &columns,
                       const std::function<const views::HelpSource &()> &source);

} // namespace tilescope::app
