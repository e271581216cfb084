// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QLabel;
class QWidget;

namespace tilescope::views {

/// A line of a panel, which wraps. `property`: what the style knows it by; null: it is plain.
QLabel *addPanelLabel(QWidget *parent, const char *property);
/// Wraps and indents a label as the panel's lines are.
void makePanelLabel(QLabel &label);

} // namespace tilescope::views
