// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/SideCompiles.h"
#include "views/stages/ColumnText.h"

#include <map>
#include <optional>
#include <string>

namespace tilescope::app {

/// What the document's kernel compiles to for another launch, configuration or target: compiled
/// beside the document while a column is compared with it, and again after each edit. GUI thread.
class ComparedResults : public QObject {
  Q_OBJECT
public:
  ComparedResults(SideCompiles *side, CompileController *compile, QObject *parent);

  /// What the document in front can be compared with.
  std::vector<views::ComparisonOffer> offers() const;

  /// What of a result is looked at.
  struct Need {
    std::string key;
    compiler::StageId stage{};
    bool passes = false;
    bool operator==(const Need &) const = default;
  };
  /// All that is looked at by now. What is not there yet is compiled; `isHurried`: at once.
  void setNeeds(const std::vector<Need> &needs, bool isHurried);

  struct Answer {
    ResultPointer result;
    /// Why there is none, or in what it is not what was asked for.
    QString note;
  };
  Answer answer(const std::string &key) const;

Q_SIGNALS:
  void changed();

private:
  struct Made {
    ResultPointer result;
    QString failure;
    /// What it was made of, and for.
    DocumentPointer document;
    Need need;
  };
  std::optional<DocumentPointer> documentFor(const std::string &key) const;
  void update(bool isHurried);
  void ask(const Need &need, const DocumentPointer &document, bool isHurried);

  SideCompiles *m_side;
  CompileController *m_compile;
  /// By key; of a key with several needs the last stage, and the passes if any wants them.
  std::map<std::string, Need> m_needs;
  std::map<std::string, Made> m_made;
  /// Of what is being compiled.
  std::map<std::string, Made> m_asked;
};

} // namespace tilescope::app
