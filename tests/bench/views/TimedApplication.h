// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/bench/views/ThreadTimer.h"
#include "tests/bench/views/TimeHistogram.h"

#include <QApplication>
#include <QByteArray>

#include <map>
#include <vector>

namespace tilescope::tests {

/// Events that leave out a frame of a usual screen take more than this.
inline constexpr double kFrameMs = 16;
/// Each event of more than this is kept.
inline constexpr double kNotableMs = 4;

/// What events of one class took.
struct EventClass {
  TimeHistogram elapsed;
  TimeHistogram work;
};

/// An event that took long.
struct NotableEvent {
  QByteArray what;
  TimeSpent spent;
  ThreadTimer::Clock::time_point begin;
  ThreadTimer::Clock::time_point end;
};

/// Times every event that the window's loop delivers, and the painting in it.
class TimedApplication : public QApplication {
public:
  using QApplication::QApplication;

  void begin();
  void end() { m_isMeasuring = false; }
  bool notify(QObject *receiver, QEvent *event) override;

  /// All, and those of each class.
  const EventClass &all() const { return m_all; }
  const std::map<QByteArray, EventClass> &events() const { return m_events; }
  /// Parts of those.
  const std::map<QByteArray, EventClass> &painting() const { return m_painting; }
  /// In the order of time.
  const std::vector<NotableEvent> &notable() const { return m_notable; }

private:
  EventClass m_all;
  std::map<QByteArray, EventClass> m_events;
  std::map<QByteArray, EventClass> m_painting;
  std::vector<NotableEvent> m_notable;
  int m_depth = 0;
  bool m_isMeasuring = false;
};

} // namespace tilescope::tests
