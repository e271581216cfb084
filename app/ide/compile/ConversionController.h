// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/PictureController.h"

namespace tilescope::views {
class ConversionView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the conversions of the newest compile looked at while the Conversion view is in sight: first
/// what code generation makes of them, then, where there is a launch, how often its first program
/// executes them. The next key stops either. GUI thread.
class ConversionController : public PictureController {
  Q_OBJECT
public:
  ConversionController(CompileBackend *backend, CompileController *compile,
                       views::ConversionView *view, QObject *parent);

private:
  /// What is known of the revision.
  enum class Known { Nothing, Plans, Executions };

  void begin() override;
  /// Asks for what is not known yet.
  void ask();
  void take(const InspectionPointer &reply) override;
  void fail(const InspectionPointer &reply);

  views::ConversionView *m_view;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_asked = 0;
  uint64_t m_askedRevision = 0;
  Known m_known = Known::Nothing;
};

} // namespace tilescope::app
