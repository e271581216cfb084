// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/SideCompiles.h"
#include "views/common/PassNames.h"

#include <optional>

namespace tilescope::app {

/// While all views are at a pass, compiles the kernel on from the IR behind it and says what comes
/// out: the layouts there, and what the machine code would need if the passes ended there. GUI
/// thread.
class PassFollower : public QObject {
  Q_OBJECT
public:
  PassFollower(SideCompiles *side, CompileController *compile, QObject *parent);

  /// Nothing: the views are where the compile ends.
  void follow(const std::optional<views::PassKey> &pass);
  const std::optional<views::PassKey> &pass() const { return m_pass; }
  /// The IR behind the pass, if the newest compile has it and it has layouts; else null.
  const compiler::PassRecord *laidOutIr() const;

Q_SIGNALS:
  /// What views show of the kernel behind the pass; null: what the compile ends with.
  void found(const tilescope::app::ResultPointer &behind);
  /// What the machine code would need, or why nothing is known; empty: the views are at no pass.
  void said(const QString &what);

private:
  void update(bool isHurried);
  void take(const CorrelationPointer &onward, const ResultPointer &document);

  SideCompiles *m_side;
  CompileController *m_compile;
  std::optional<views::PassKey> m_pass;
};

} // namespace tilescope::app
