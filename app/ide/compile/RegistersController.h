// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

#include <QThreadPool>

namespace tilescope::views {
class RegistersView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the registers of the newest compile looked at, on a thread of its own, while the Registers
/// view is in sight. It asks the worker for nothing: all is in PTX, cubin and SASS, which the
/// compile brings as long as the view is in sight. GUI thread.
class RegistersController : public PictureController {
  Q_OBJECT
public:
  RegistersController(CompileBackend *backend, CompileController *compile,
                      views::RegistersView *view, QObject *parent);
  ~RegistersController() override;

private:
  void begin() override;
  void take(const InspectionPointer &) override {}
  void stop() override { ++m_ticket; }

  views::RegistersView *m_view;
  QThreadPool m_pool;
  /// Of what is looked at now; what an earlier one finds comes too late.
  uint64_t m_ticket = 0;
};

} // namespace tilescope::app
