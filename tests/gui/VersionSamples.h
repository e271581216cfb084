// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/support/FakeResult.h"
#include "views/history/HistoryEntry.h"

#include <memory>
#include <string>

namespace tilescope::tests {

/// A result of a text, whose PTX holds `instructions`.
inline std::shared_ptr<compiler::CompileResult> resultOf(const std::string &text,
                                                         const std::string &instructions) {
  auto result = sampleResult();
  result->files.front().text = text;
  for (compiler::Stage &stage : result->stages)
    if (stage.id == compiler::StageId::Ptx)
      stage.text = instructions;
  return result;
}

inline QDateTime at(int seconds) {
  return QDateTime(QDate(2026, 3, 1), QTime(12, 0)).addSecs(seconds);
}

inline views::HistoryEntry timed(double us, double spread, const QString &device) {
  views::HistoryEntry entry;
  entry.kernel = "vector_add";
  entry.text = "text";
  entry.time = views::VersionTime{us, spread, 100, device};
  return entry;
}

} // namespace tilescope::tests
