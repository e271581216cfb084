// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilescope::views {

/// At an offset of a text, bytes were taken out or others put in.
struct Edit {
  size_t offset = 0;
  size_t numRemoved = 0;
  std::string inserted;
  bool operator==(const Edit &) const = default;
};

/// What happens to a text. An edit that begins a step is undone together with those that continue
/// it. Nothing changes at a stop, and nothing across it is undone as one.
enum class EditKind : uint8_t { Begin, Continue, Undo, Redo, Stop };

struct EditEvent {
  EditKind kind = EditKind::Begin;
  /// Empty for those that are no edit.
  Edit edit;
};

/// The undo history of a text as a value: what an editor keeps to itself, in a form that can be
/// written down and played again.
///
/// With the base `ab` and the events `Begin c at 2`, `Continue d at 3`, `Begin remove 1 at 0`,
/// `Undo` the steps are `c d` and `remove 1`; the first is applied, the second can be redone, and
/// the text is `abcd`.
///
/// The history is bounded: beyond a few thousand steps or a few MiB the oldest become part of the
/// base.
class EditHistory {
public:
  using Step = std::vector<Edit>;

  explicit EditHistory(std::string base = {}) : m_base(std::move(base)) {}
  /// The parts of one that was written down; nothing when they do not fit together.
  static std::optional<EditHistory> fromParts(std::string base, std::vector<Step> steps,
                                              size_t numApplied, std::optional<size_t> saved,
                                              std::set<size_t> stops = {});

  /// False, and nothing is done, when the event does not fit: nothing is left to undo or redo.
  bool apply(EditEvent event);
  /// The present text is that of the file, and a stop.
  void markSaved() {
    m_saved = m_numApplied;
    m_stops.insert(m_numApplied);
  }
  /// No text of the history is that of the file.
  void markUnsaved() { m_saved.reset(); }
  bool isSaved() const { return m_saved == m_numApplied; }

  const std::string &base() const { return m_base; }
  const std::vector<Step> &steps() const { return m_steps; }
  size_t numApplied() const { return m_numApplied; }
  std::optional<size_t> saved() const { return m_saved; }
  /// The numbers of applied steps at which undo and redo stop: texts that were saved, or run.
  const std::set<size_t> &stops() const { return m_stops; }
  /// The present text; nothing when an edit does not fit the text that it is for.
  std::optional<std::string> text() const;

private:
  void forgetOldest();

  std::string m_base;
  std::vector<Step> m_steps;
  size_t m_numApplied = 0;
  std::optional<size_t> m_saved = 0;
  std::set<size_t> m_stops;
  size_t m_stepBytes = 0;
};

} // namespace tilescope::views
