// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/SweepPictures.h"
#include "views/common/PictureView.h"
#include "views/sweep/SweepModel.h"

class QComboBox;
class QPushButton;
class QTableView;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class SweepCanvas;

/// A kernel compiled and measured with many values: a picture of the points, of which there are
/// several to choose from, and beside it the table of all of them. A point is pointed at in both.
class SweepView : public PictureView {
  Q_OBJECT
public:
  explicit SweepView(QWidget *parent = nullptr);

  /// `place`: where it was measured, or opened from.
  void setSweep(SweepPointer sweep, const QString &place);
  const SweepPointer &sweep() const { return m_sweep; }
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_sweep != nullptr; }
  bool canExport() const override;
  /// Of which text or kernel the sweep is not; empty: it is of the one in the editor.
  void setOutdated(const QString &reason);
  /// What the sweep under way has done; empty: none is under way.
  void setProgress(const QString &state);
  /// What went wrong; empty: nothing.
  void setFailure(const QString &failure);
  /// Whether a table of values to try can be written into the file.
  void setTableOffered(bool isOffered);

  QString titleText() const;
  QString summaryText() const;
  QString progressText() const;
  QString emptyText() const;
  SweepCanvas &canvas() { return *m_canvas; }
  QTableView &table() { return *m_table; }
  SweepModel &model() { return *m_model; }
  QComboBox &pictures() { return *m_pictures; }
  /// Starts a sweep, or stops the one under way.
  QToolButton &sweepButton() { return *m_start; }
  QToolButton &writeButton() { return *m_write; }
  QPushButton &tableButton() { return *m_writeTable; }

Q_SIGNALS:
  void sweepRequested();
  void stopRequested();
  void openRequested();
  /// The code of a point is to be looked at.
  void pointChosen(size_t point);
  void writeRequested();
  void tableRequested();

protected:
  void changeEvent(QEvent *event) override;

private:
  void createWidgets();
  QWidget *createPicture();
  void connectState();
  void fillPictures();
  void showPicture();
  QString whyNotWritten() const;
  void updateButtons();
  void updateEmpty();
  void pointAt(int mark);
  /// In picture and table; -1: none.
  void showPoint(int point);
  int pointOf(int mark) const;
  ExportedPicture exported() const override;

  ElidedLabel *m_title;
  ElidedLabel *m_summary;
  /// What is under way, or went wrong.
  ElidedLabel *m_progress;
  QComboBox *m_pictures;
  QToolButton *m_start;
  QToolButton *m_write;
  QPushButton *m_writeTable;
  SweepCanvas *m_canvas;
  SweepModel *m_model;
  QTableView *m_table;

  SweepPointer m_sweep;
  std::vector<profiler::SweepPicture> m_drawn;
  QString m_whyEmpty, m_state, m_failure;
  bool m_isFollowing = false;
};

} // namespace tilescope::views
