// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/history/HistoryEntry.h"

namespace tilescope::app {

/// The versions of the kernels of one file, oldest first, bounded in number and size. Recording
/// takes time in proportion to the text and the PTX of one kernel.
class HistoryLog {
public:
  /// Versions kept of a file, and the bytes of their texts.
  static constexpr size_t kMostEntries = 200;
  static constexpr size_t kMostBytes = size_t{4} << 20;
  /// A version that was typed, and typed on sooner than this, is one on the way: the next takes its
  /// place, unless it ran.
  static constexpr int kTypingMs = 4000;

  /// Begins with versions of an earlier time, oldest first.
  explicit HistoryLog(std::vector<views::HistoryEntry> older = {});

  /// Records a compile that differs from the kernel's last version. Returns the number of the
  /// version that the result is, and 0 for a result that failed or has neither PTX nor TTGIR.
  /// `choice`: what else decides what the text compiles to, such as its launch and configuration.
  int64_t recordCompile(const compiler::CompileResult &result, const QDateTime &when,
                        const std::string &choice = {});
  /// The text changes under the user's hands; what it compiles to follows.
  void noteEdit(const QDateTime &when);
  /// The text is changed as a whole, by a field of a form: neither what was there before nor what
  /// follows is on the way to anything.
  void noteStep();
  /// Notes how long a text took with a choice. A version that ran before gets a new entry: every run is
  /// kept.
  void recordRun(views::HistoryEntry run, const std::string &choice = {});
  /// Of its kernel; no other version is.
  void setBaseline(int64_t number);
  void clear(const std::string &kernel);

  const std::vector<views::HistoryEntry> &entries() const { return m_entries; }
  /// Grows with everything that is recorded, except for what was there already.
  uint64_t numChanges() const { return m_numChanges; }
  std::vector<views::HistoryEntry> entriesOf(const std::string &kernel) const;
  /// Null when it is not there any more.
  const views::HistoryEntry *find(int64_t number) const;
  /// The version of the same kernel before `version`; null: it is the first.
  const views::HistoryEntry *before(const views::HistoryEntry &version) const;

private:
  /// Without noting which text it was.
  int64_t recordVersion(const compiler::CompileResult &result, const QDateTime &when);
  int64_t append(views::HistoryEntry entry);
  /// Fills in what a run, or an earlier time, did not know of a version.
  void complete(views::HistoryEntry &version, const views::HistoryEntry &compiled);
  /// Oldest first, without baselines.
  void trim();
  /// Whether the last version was only one on the way to what is there now.
  bool isOnTheWay(const views::HistoryEntry &last) const;

  std::vector<views::HistoryEntry> m_entries;
  /// What was compiled, and the version that it compiles to.
  struct Compiled {
    std::string kernel;
    QByteArray text;
    std::string choice;
    int64_t version = 0;
  };
  void noteCompiled(Compiled compiled);
  /// The compile that a run is of; null: it is not known.
  const Compiled *compiledFor(const views::HistoryEntry &run, const std::string &choice) const;
  /// The oldest first; a few, since what runs was compiled shortly before.
  std::vector<Compiled> m_compiled;
  uint64_t m_numChanges = 0;
  int64_t m_lastNumber = 0;
  /// The last version that an edit led to; that of a text as it was opened stays.
  int64_t m_lastTyped = 0;
  /// The first edit since the last version was recorded.
  std::optional<QDateTime> m_editBegan;
};

} // namespace tilescope::app
