// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QtGlobal>

namespace tilescope::app {

/// While Qt connects to a display: where there is none, the process ends with a message and exit
/// status 3, as for everything that a machine lacks. By itself Qt aborts, and suggests to reinstall
/// the program.
class DisplayCheck {
public:
  DisplayCheck();
  ~DisplayCheck();
  DisplayCheck(const DisplayCheck &) = delete;
  DisplayCheck &operator=(const DisplayCheck &) = delete;

private:
  QtMessageHandler m_before;
};

} // namespace tilescope::app
