// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"
#include "views/common/PictureExport.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace tilescope::views {

class ElidedLabel;

/// What all views of a kernel's memory have: a bar of fields, lines of facts, a picture, and a line
/// about what is pointed at; above them a note while they are of an earlier text; and in their place
/// the reason why there is nothing to show.
class PictureView : public QWidget {
  Q_OBJECT
public:
  /// There is nothing to show, and why; `offersBlock`: the file lacks a launch block.
  virtual void clear(const QString &why, bool offersBlock = false) = 0;
  virtual bool hasContent() const = 0;
  /// What is shown is of an earlier text; empty: it is not.
  void setStaleNote(const QString &note);
  bool isStale() const;
  QString infoText() const;
  /// What the picture is of, in one line, above it or wherever the window puts it.
  QWidget *header() const;

  virtual bool canExport() const = 0;
  /// False: there is nothing to export, or the file could not be written.
  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;
  /// What it would export, in as little room; null: nothing.
  QImage smallPicture(QSize size) const;

Q_SIGNALS:
  /// The user looks at this place; the keyboard stays here.
  void placeShown(const tilescope::SourceRange &range);
  /// The user goes to this place.
  void placeRequested(const tilescope::SourceRange &range);
  void exportRequested();
  /// The user wants a launch block to be written.
  void launchBlockRequested();

protected:
  explicit PictureView(QWidget *parent);

  /// The fields, some buttons, and at the end the one that exports.
  QWidget *createBar(QWidget *fields, const QList<QWidget *> &buttons = {});
  /// The first line and the last are about the picture, those between are its message. In a low view
  /// they are one line.
  QWidget *createHeader(const QList<ElidedLabel *> &lines);
  /// Once: what is shown when there is something to show.
  void setParts(QWidget *bar, QWidget *header, QWidget *picture);
  /// Once: buttons below the reason why there is nothing.
  void offerInEmpty(const QList<QPushButton *> &buttons);
  void showContent();
  void showNothing(const QString &why, bool offersBlock);
  /// What is said about what is pointed at in `canvases`, also to who does not see them.
  void setInfo(const QString &info, const QList<QWidget *> &canvases);
  virtual ExportedPicture exported() const = 0;
  void resizeEvent(QResizeEvent *event) override;

private:
  /// Fields and words take one row each, so that the picture has most of the room.
  void setLow(bool isLow);
  /// The same for numbers, where it is low or narrow.
  void setTight(bool isTight);
  QWidget *createNothing();

  /// The first line about the picture.
  QLabel *m_title = nullptr;
  QBoxLayout *m_lines = nullptr;
  /// Those of the header that have several lines where there is room.
  QList<QLabel *> m_wrapped;
  bool m_isLow = false;
  bool m_isTight = false;
  QLabel *m_staleNote;
  QStackedWidget *m_pages;
  ElidedLabel *m_info;
  QLabel *m_empty;
  QBoxLayout *m_offers = nullptr;
  QPushButton *m_writeBlock;
};

} // namespace tilescope::views
