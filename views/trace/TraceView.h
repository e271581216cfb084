// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/common/PictureView.h"
#include "views/trace/TraceContent.h"

class QComboBox;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class TraceCanvas;

/// A trace inside a kernel as a picture: when each warp of a program executed what, and what was
/// under way. A click shows the line; the line at the cursor is marked.
class TraceView : public PictureView {
  Q_OBJECT
public:
  TraceView(FocusState *focus, QWidget *parent = nullptr);

  void setContent(TraceContentPointer content);
  const TraceContentPointer &content() const { return m_content; }
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override { return m_content != nullptr; }

  QString titleText() const;
  QString costText() const;
  /// The part of the time that is in sight.
  QString windowText() const;
  /// The program that is shown; -1: none.
  int64_t program() const;
  TraceCanvas &canvas() { return *m_canvas; }
  QComboBox &programs() { return *m_programs; }

Q_SIGNALS:
  /// The user wants a profile with a trace.
  void traceRequested();

protected:
  void changeEvent(QEvent *event) override;

private:
  QWidget *createFields();
  QList<QWidget *> createButtons();
  void connectState();
  void showProgram();
  void pointAt(int bar);
  void pin(int bar);
  void follow();
  void updateWindow();
  /// Where a bar's operation stands in the document; empty: elsewhere, or not known.
  SourceRange rangeOf(int bar) const;
  void markSource(const SourceRange &range);
  ExportedPicture exported() const override;

  FocusState *m_focus;
  ElidedLabel *m_title;
  ElidedLabel *m_cost;
  QComboBox *m_programs;
  ElidedLabel *m_windowLabel;
  TraceCanvas *m_canvas;
  TraceContentPointer m_content;
  bool m_marksSource = false;
};

} // namespace tilescope::views
