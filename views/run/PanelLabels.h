// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QLabel;
class QWidget;

namespace tilescope::views {

/// A line of a panel, which wraps. `property`: what the style knows it by; null: it is plain.
QLabel *addPanelLabel(QWidget *parent, const char *property);
/// The same, with links for pointer and keyboard.
QLabel *addLinkLabel(QWidget *parent);
/// Links keep the color that they were laid out with: for another theme, they are laid out anew.
void renewLinks(QLabel &label);

} // namespace tilescope::views
