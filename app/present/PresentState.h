// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/present/PresentScript.h"

#include <chrono>

namespace tilescope::app {

/// Where a presenter is. A stop is a view of a step: a step with the views `editor` and `programs`
/// is two stops, and the next one is the first view of the next step.
class PresentState {
public:
  explicit PresentState(PresentScript script);

  const PresentScript &script() const { return m_script; }
  size_t numStops() const { return m_stops.size(); }
  /// From 0 on.
  size_t position() const { return m_position; }
  const PresentStep &step() const { return m_script.steps[m_stops[m_position].step]; }
  const std::string &view() const { return step().views[m_stops[m_position].view]; }
  /// Those of the view on show.
  std::string notes() const;
  /// The step behind the one on show, at its end the first of a loop; null: none is.
  const PresentStep *nextStep() const;

  /// Goes on, or back; in a loop, around the end. Returns whether that is another stop.
  bool go(int by);
  bool goTo(size_t position);

  /// It goes on by itself, and begins anew.
  bool isLoop() const { return m_isLoop; }
  void setLoop(bool isLoop) { m_isLoop = isLoop; }
  /// How long a loop stays here.
  std::chrono::milliseconds stay() const;

private:
  struct Stop {
    size_t step = 0, view = 0;
  };
  PresentScript m_script;
  std::vector<Stop> m_stops;
  size_t m_position = 0;
  bool m_isLoop = false;
};

} // namespace tilescope::app
