// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QSplitter;
class QTableView;

namespace tilescope::views {

/// Keeps the rows as high as the table's font needs, whatever the zoom.
void fitRowsToFont(QTableView *table);

/// Rows to choose one of, as high as the font needs, with columns as wide as their contents, whose
/// titles are aligned as these are.
void setUpRows(QTableView *table);

/// The last part of a splitter is as wide as the table's columns want, or as high as its rows where it
/// lies below, and at most so much of the splitter, until the user moves the handle.
void giveRoom(QTableView *table, QSplitter *splitter, int mostPercent = 50);

/// Shows as many of the first columns as the table is wide for, at least `numLeast`, so that nothing
/// scrolls to the side; `textColumn` takes what the others leave, and is cut where that is too little.
/// A text column behind the first `numLeast` gives way only where hardly a word of it would be seen.
/// Tool tips of the rows have to say what is left out. `otherText` takes what is left where
/// `textColumn` is left out.
void chooseColumns(QTableView *table, int textColumn, int numLeast, int otherText = -1);

} // namespace tilescope::views
