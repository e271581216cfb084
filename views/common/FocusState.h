// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "views/common/LineTints.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace tilescope::views {

/// A place that the user points at, in the source or in a stage, and what it stands for in the
/// source.
struct Focus {
  /// The stage whose text was pointed at; empty: the source document.
  std::optional<compiler::StageId> stage;
  /// Place in that text.
  Position position;
  /// Ranges of the source document that this place came from (or is). In the text that is shown:
  /// the newest one that was compiled, or the last whole one while the newest does not compile.
  std::vector<SourceRange> sources;
  /// A place of the document in a line that the text on show does not have: it stands for nothing.
  bool isNew = false;
  bool operator==(const Focus &) const = default;
  bool empty() const { return sources.empty() && !stage && !isNew; }
};

/// What all views look at together. Views report through `setHovered` and `setSelected` and follow
/// the signals; the author of a change is named so that it need not scroll itself. GUI thread.
class FocusState : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  const Focus &hovered() const { return m_hovered; }
  const Focus &selected() const { return m_selected; }

  void setHovered(const Focus &focus, const QObject *author);
  /// A click or a cursor move. Unlike hovering it also brings the relatives into view.
  void setSelected(const Focus &focus, const QObject *author);

  /// Of the lines of the source document that is shown.
  const LineTints &tints() const { return m_tints; }
  /// Holds for what is shown from now on.
  void setTints(LineTints tints) { m_tints = std::move(tints); }

Q_SIGNALS:
  void hoveredChanged(const Focus &focus, const QObject *author);
  void selectedChanged(const Focus &focus, const QObject *author);

private:
  Focus m_hovered;
  Focus m_selected;
  LineTints m_tints;
};

} // namespace tilescope::views
