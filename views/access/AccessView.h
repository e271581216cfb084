// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/AccessPicture.h"
#include "compiler/access/picture/BulkPicture.h"
#include "views/access/AccessContent.h"
#include "views/common/FocusState.h"
#include "views/common/MeasuredCounters.h"
#include "views/common/PictureView.h"
#include "views/common/RequestCanvas.h"
#include "views/common/SourceMark.h"

class QStackedWidget;
class QTableView;

namespace tilescope::views {

class AccessListModel;
class BulkCanvas;
class ElidedLabel;
class Scrubber;

/// What the access at the cursor costs and why: its numbers, the memory that one request of one
/// warp touches, and the list of all accesses, the most wasteful first.
class AccessView : public PictureView {
  Q_OBJECT
public:
  AccessView(FocusState *focus, QWidget *parent = nullptr);
  ~AccessView() override;

  /// What one program does.
  void setContent(AccessContentPointer content);
  /// Counts of the whole grid; null until they are known. `why` they are not: empty while they may
  /// come.
  void setGridFacts(MemoryFactsPointer facts, const QString &why = {});
  /// Of the launch that is shown; null: it was not measured.
  void setMeasurement(MeasurementPointer measurement);
  void clear(const QString &why, bool offersBlock = false) override;

  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override { return !request().lines.empty() || bulkPicture(); }
  /// What the user wants to see: the program and the execution that the fields name.
  AccessWish wish() const;
  /// The access that is shown; null: there is none.
  const compiler::AccessFacts *current() const;
  /// Of the launch that is shown; nothing: none is.
  std::optional<std::array<int32_t, 3>> grid() const;
  const compiler::access::RequestPicture &request() const { return m_canvas->content().request; }

  /// The bulk copy that is drawn; null: none is.
  const compiler::access::BulkPicture *bulkPicture() const;

  QString titleText() const;
  QString costText() const;
  QString measuredText() const;
  QString reasonText() const;
  RequestCanvas &canvas() { return *m_canvas; }
  BulkCanvas &bulkCanvas() { return *m_bulkCanvas; }
  QTableView &list() { return *m_list; }
  Scrubber &scrubber(RequestCanvas::Scrub scrub) const;

Q_SIGNALS:
  /// Another program or execution is to be drawn.
  void wishChanged(const tilescope::views::AccessWish &wish);

protected:
  void changeEvent(QEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QWidget *createFields();
  QWidget *createList();
  QWidget *createPicture();
  void connectState();
  void follow();
  void showAccess(int access);
  void showUncounted(int uncounted);
  // AccessBulk.cpp
  QWidget *createCanvases();
  void connectBulkCopies();
  /// The bulk copy among what is not counted; null: where its block is is not known.
  const compiler::RecordedBulkCopy *bulkCopyOf(int uncounted) const;
  const compiler::RecordedBulkCopy *bulkCopy() const { return bulkCopyOf(m_uncounted); }
  /// The bulk copy that the cursor means; with `orFirst`, else the first of the kernel. -1: none.
  int chosenBulkCopy(bool orFirst) const;
  void updateBulkHeader();
  void drawBulkCopy();
  void pointAtChunk(int place);
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
  QString whyEmpty() const;
  ExportedPicture exported() const override;

  FocusState *m_focus;
  SourceMark m_mark;
  ElidedLabel *m_title;
  ElidedLabel *m_cost;
  ElidedLabel *m_measured;
  ElidedLabel *m_reason;
  QStackedWidget *m_canvases = nullptr;
  RequestCanvas *m_canvas;
  BulkCanvas *m_bulkCanvas;
  AccessListModel *m_model;
  QTableView *m_list;
  Scrubber *m_warp, *m_instruction, *m_pass, *m_iteration, *m_program;

  AccessContentPointer m_content;
  MemoryFactsPointer m_gridFacts;
  MeasurementPointer m_measurement;
  QString m_whyNoGrid;
  /// Among the content's; -1: none.
  int m_access = -1;
  /// It is the one that the cursor means.
  bool m_isAtCursor = false;
  /// What is shown of the content that is not counted; -1: nothing.
  int m_uncounted = -1;
  std::unique_ptr<compiler::access::AccessPicture> m_picture;
  int m_pinned = -1;
  /// The list follows: its selection is not the user's.
  bool m_isFollowing = false;
};

} // namespace tilescope::views
