// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

namespace tilescope::app {

/// Requests of the system that the program ends, as at the end of a desktop session: SIGTERM,
/// SIGHUP and SIGINT. The first one is a signal of Qt, so that texts are kept; the second one ends
/// the process as it would have without this. At most one object at a time.
class EndRequests : public QObject {
  Q_OBJECT
public:
  explicit EndRequests(QObject *parent = nullptr);
  ~EndRequests() override;

Q_SIGNALS:
  void endRequested();
};

} // namespace tilescope::app
