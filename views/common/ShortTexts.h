// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <Qt>

class QModelIndex;
class QString;
class QTableView;

namespace tilescope::views {

/// What a cell says where there is no room for all of its text.
inline constexpr int kShortTextRole = Qt::UserRole + 0x100;

/// Cells of a column say what `kShortTextRole` has where they are too narrow for their text, and what
/// is too long even then is cut in its middle: beginnings are often the same. Tool tips have to have
/// the whole.
void useShortTexts(QTableView *table, int column);

/// What such a column draws in a cell.
QString shownText(const QTableView *table, const QModelIndex &index);

} // namespace tilescope::views
