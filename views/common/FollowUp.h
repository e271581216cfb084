// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

#include <functional>

namespace tilescope::views {

/// Work that follows from an event and is done in its own event, right behind it: no event
/// takes as long as all that follows from a key. Asked for several times, it is done once.
/// GUI thread.
class FollowUp : public QObject {
public:
  FollowUp(QObject *parent, std::function<void()> work);

  /// Does the work in the next event.
  void request();
  /// Does the work now if it waits.
  void finish();
  /// Leaves out the work that waits.
  void cancel() { m_isWaiting = false; }
  bool isWaiting() const { return m_isWaiting; }

protected:
  bool event(QEvent *event) override;

private:
  std::function<void()> m_work;
  bool m_isWaiting = false;
};

} // namespace tilescope::views
