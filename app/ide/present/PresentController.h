// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/present/PresentState.h"
#include "views/present/PresentLayer.h"
#include "views/present/PresentNotes.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace tilescope::app {

/// A presentation: where the presenter is, the layer over the window, the notes, and the clock of a
/// loop. What a stop looks like in the window, its owner makes of `stopShown`.
class PresentController : public QObject {
  Q_OBJECT
public:
  explicit PresentController(QWidget *window);

  /// The first stop is shown.
  void begin(PresentScript script);
  void end();
  bool isUnderWay() const { return m_state.has_value(); }
  void command(views::PresentCommand command);

  /// Null while none is under way.
  const PresentState *state() const { return m_state ? &*m_state : nullptr; }
  views::PresentLayer *layer() const { return m_layer; }
  views::PresentNotes *notes() const { return m_notes; }
  /// Says where the light falls, in the window; nothing: around the pointer.
  void setTargetFinder(std::function<std::optional<QRectF>()> find) { m_find = std::move(find); }
  /// Something that is wrong with the stop, for the presenter.
  void setRemark(const QString &remark);

Q_SIGNALS:
  void begun();
  void stopShown(const tilescope::app::PresentStep &step, const QString &view);
  void ended();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void showStop();
  void showNotes();
  void setNotesVisible(bool isVisible);
  void setLoop(bool isLoop);
  /// A loop stays here for its time, counted anew.
  void restartClock();
  bool isPresented(const QObject *watched) const;

  QWidget *m_window;
  views::PresentLayer *m_layer = nullptr;
  views::PresentNotes *m_notes = nullptr;
  std::optional<PresentState> m_state;
  std::function<std::optional<QRectF>()> m_find;
  QString m_remark;
  QTimer m_clock;
};

} // namespace tilescope::app
