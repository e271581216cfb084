// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/profile/ProfilePage.h"

#include <QFont>

class QPainter;

namespace tilescope::views {

/// The font of a page, at the standard size of text.
QFont profileFont();

/// Draws the sections of a page that lie in `clip`, a part of the page. What is outdated is gray.
void paintProfile(QPainter &painter, const std::vector<ProfileSection> &sections,
                  const ProfilePage &page, const QRectF &clip, bool isOutdated);

} // namespace tilescope::views
