// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/AccessPicture.h"
#include "views/access/AccessContent.h"
#include "views/access/RequestCanvas.h"
#include "views/common/FocusState.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace tilescope::views {

class AccessListModel;
class NumberScrubber;
class ElidedLabel;

/// What the access at the cursor costs and why: its numbers, the memory that one request of one
/// warp touches, and the list of all accesses, the most wasteful first.
class AccessView : public QWidget {
  Q_OBJECT
public:
  AccessView(FocusState *focus, QWidget *parent = nullptr);
  ~AccessView() override;

  /// What one program does.
  void setContent(AccessContentPointer content);
  /// Counts of the whole grid; null until they are known. `why` they are not: empty while they may
  /// come.
  void setGridFacts(MemoryFactsPointer facts, const QString &why = {});
  /// There is nothing to show, and why; `offersBlock`: the file lacks a launch block.
  void clear(const QString &why, bool offersBlock = false);
  /// What is shown is of an earlier text; empty: it is not.
  void setStaleNote(const QString &note);
  bool isStale() const;

  bool hasContent() const { return m_content != nullptr; }
  /// What the user wants to see: the program and the execution that the fields name.
  AccessWish wish() const;
  /// The access that is shown; null: there is none.
  const compiler::AccessFacts *current() const;
  const compiler::access::RequestPicture &request() const { return m_canvas->content().request; }

  QString titleText() const;
  QString costText() const;
  QString reasonText() const;
  QString infoText() const;
  RequestCanvas &canvas() { return *m_canvas; }
  QTableView &list() { return *m_list; }
  NumberScrubber &scrubber(RequestCanvas::Scrub scrub) const;

  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;

Q_SIGNALS:
  /// Another program or execution is to be drawn.
  void wishChanged(const tilescope::views::AccessWish &wish);
  void placeRequested(const tilescope::SourceRange &range);
  void exportRequested();
  /// The user wants a launch block to be written.
  void launchBlockRequested();

protected:
  void changeEvent(QEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QWidget *createBar();
  QWidget *createList();
  QWidget *createPages();
  void connectState();
  void follow();
  void showAccess(int access);
  void showUncounted(int row);
  void showRow();
  void goToRow(int row);
  /// The execution that is drawn; null: none is, or the memory is shared.
  const compiler::RecordedExecution *execution() const;
  const compiler::RecordedAccess *recorded() const;
  /// Of the whole grid, if they are known, else of the program; null without content.
  MemoryFactsPointer shownFacts() const;
  /// Asks for what is wanted, unless that is what was answered.
  void askForMissing();
  void scrubTo(RequestCanvas::Scrub scrub);
  void updateScrubbers();
  void updateHeader();
  void updateList();
  void drawRequest();
  void pointAt(int place);
  void markSource(int place);
  void setInfo(const QString &text);
  QString whyEmpty() const;
  // AccessExport.cpp
  QStringList exportLines() const;
  QSize exportSize() const;
  void render(QPainter &painter, const QRectF &target) const;

  FocusState *m_focus;
  ElidedLabel *m_title;
  ElidedLabel *m_cost;
  QLabel *m_reason;
  QLabel *m_staleNote;
  ElidedLabel *m_info;
  RequestCanvas *m_canvas;
  AccessListModel *m_model;
  QTableView *m_list;
  NumberScrubber *m_warp, *m_instruction, *m_iteration, *m_program;
  QStackedWidget *m_pages;
  QLabel *m_empty;
  QPushButton *m_writeBlock;

  AccessContentPointer m_content;
  MemoryFactsPointer m_gridFacts;
  QString m_whyNoGrid;
  /// Among the content's; -1: none.
  int m_access = -1;
  /// It is the one that the cursor means.
  bool m_isAtCursor = false;
  /// The row that is not counted and shown; -1: none.
  int m_uncountedRow = -1;
  std::unique_ptr<compiler::access::AccessPicture> m_picture;
  int m_pinned = -1;
  bool m_marksSource = false;
  /// The list follows: its selection is not the user's.
  bool m_isFollowing = false;
};

} // namespace tilescope::views
