// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/HistoryLog.h"

#include <algorithm>
#include <utility>

namespace tilescope::app {

using views::HistoryEntry;

/// The last version of a kernel before `end`.
static HistoryEntry *lastOf(std::vector<HistoryEntry> &entries, const std::string &kernel,
                            const HistoryEntry *end = nullptr) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (entry->kernel == kernel && &*entry != end)
      return &*entry;
  return nullptr;
}

HistoryLog::HistoryLog(std::vector<HistoryEntry> older) : m_entries(std::move(older)) {
  for (const HistoryEntry &entry : m_entries)
    m_lastNumber = std::max(m_lastNumber, entry.number);
  trim();
}

int64_t HistoryLog::append(HistoryEntry entry) {
  ++m_numChanges;
  const int64_t number = entry.number = ++m_lastNumber;
  m_entries.push_back(std::move(entry));
  trim();
  return number;
}

void HistoryLog::trim() {
  size_t bytes = 0;
  for (const HistoryEntry &entry : m_entries)
    bytes += static_cast<size_t>(entry.text.size());
  const auto isTooMuch = [&] { return m_entries.size() > kMostEntries || bytes > kMostBytes; };
  // The newest stays in any case.
  for (size_t i = 0; isTooMuch() && i + 1 < m_entries.size();) {
    if (m_entries[i].isBaseline) {
      ++i;
      continue;
    }
    bytes -= static_cast<size_t>(m_entries[i].text.size());
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void HistoryLog::complete(HistoryEntry &version, const HistoryEntry &compiled) {
  if (version.digest == compiled.digest && version.facts == compiled.facts)
    return;
  version.digest = compiled.digest;
  version.facts = compiled.facts;
  version.target = compiled.target;
  ++m_numChanges;
}

void HistoryLog::noteEdit(const QDateTime &when) {
  if (!m_editBegan)
    m_editBegan = when;
}

void HistoryLog::noteStep() {
  m_lastTyped = 0;
  m_editBegan.reset();
}

bool HistoryLog::isOnTheWay(const HistoryEntry &last) const {
  // A run that failed has no time.
  const bool hasRun = last.time || last.isWrong;
  return m_editBegan && last.number == m_lastTyped && !hasRun && !last.isBaseline &&
         last.when.msecsTo(*m_editBegan) < kTypingMs;
}

void HistoryLog::noteCompiled(Compiled compiled) {
  static constexpr size_t kMostCompiled = 32;
  std::erase_if(m_compiled, [&](const Compiled &each) {
    return each.kernel == compiled.kernel && each.text == compiled.text &&
           each.choice == compiled.choice;
  });
  if (m_compiled.size() == kMostCompiled)
    m_compiled.erase(m_compiled.begin());
  m_compiled.push_back(std::move(compiled));
}

const HistoryLog::Compiled *HistoryLog::compiledFor(const HistoryEntry &run,
                                                    const std::string &choice) const {
  const auto found = std::ranges::find_if(m_compiled, [&](const Compiled &each) {
    return each.kernel == run.kernel && each.text == run.text && each.choice == choice;
  });
  return found == m_compiled.end() ? nullptr : &*found;
}

int64_t HistoryLog::recordCompile(const compiler::CompileResult &result, const QDateTime &when,
                                  const std::string &choice) {
  if (!result.ok || result.files.empty())
    return 0;
  const int64_t known = m_lastNumber;
  const int64_t number = recordVersion(result, when);
  if (std::exchange(m_editBegan, std::nullopt) && number > known)
    m_lastTyped = number;
  if (number != 0)
    noteCompiled(
        {result.kernel, QByteArray::fromStdString(result.files.front().text), choice, number});
  return number;
}

int64_t HistoryLog::recordVersion(const compiler::CompileResult &result, const QDateTime &when) {
  HistoryEntry entry;
  entry.digest = views::versionDigest(result);
  if (entry.digest.isEmpty())
    return 0;
  entry.when = when;
  entry.kernel = result.kernel;
  entry.target = result.target;
  entry.text = QByteArray::fromStdString(result.files.front().text);
  entry.facts = views::versionFacts(result);
  HistoryEntry *last = lastOf(m_entries, result.kernel);
  if (!last)
    return append(std::move(entry));
  // A run may come before its compile, and a tool may tell more than it did.
  const bool isOfRun = last->digest.isEmpty() && last->text == entry.text;
  if (isOfRun || last->digest == entry.digest) {
    complete(*last, entry);
    return last->number;
  }
  if (!isOnTheWay(*last))
    return append(std::move(entry));
  ++m_numChanges;
  // Its number comes to stand for something else.
  std::erase_if(m_compiled, [&](const Compiled &each) { return each.version == last->number; });
  HistoryEntry *before = lastOf(m_entries, result.kernel, last);
  if (before && before->digest == entry.digest) {
    // What was typed is gone again.
    const int64_t number = before->number;
    std::erase_if(m_entries,
                  [gone = last->number](const HistoryEntry &each) { return each.number == gone; });
    return number;
  }
  entry.number = last->number;
  *last = std::move(entry);
  return last->number;
}

void HistoryLog::recordRun(HistoryEntry run, const std::string &choice) {
  const Compiled *compiled = compiledFor(run, choice);
  const HistoryEntry *version = compiled ? find(compiled->version) : nullptr;
  // Of a text alone, nothing says with which choice it was compiled.
  const bool isOtherChoice = !version && std::ranges::any_of(m_compiled, [&](const Compiled &each) {
    return each.kernel == run.kernel && each.text == run.text;
  });
  const auto isOfRun = [&, number = version ? version->number : 0,
                        digest =
                            version ? version->digest : QByteArray()](const HistoryEntry &entry) {
    // A text that compiles to what there was before is no version of its own.
    return entry.kernel == run.kernel &&
           (number ? entry.number == number || (entry.text == run.text && entry.digest == digest)
                   : entry.text == run.text);
  };
  if (const auto entry = std::find_if(m_entries.rbegin(), m_entries.rend(), isOfRun);
      entry != m_entries.rend() && !isOtherChoice) {
    if (!entry->time && !entry->isWrong) {
      entry->time = run.time;
      entry->isWrong = run.isWrong;
      ++m_numChanges;
      return;
    }
    run.facts = entry->facts;
    run.digest = entry->digest;
    run.target = entry->target;
    // What was typed while it ran stays the newest.
    run.number = ++m_lastNumber;
    ++m_numChanges;
    m_entries.insert(entry.base(), std::move(run));
    return trim();
  }
  append(std::move(run));
}

void HistoryLog::setBaseline(int64_t number) {
  const HistoryEntry *chosen = find(number);
  if (!chosen)
    return;
  const std::string kernel = chosen->kernel;
  ++m_numChanges;
  for (HistoryEntry &entry : m_entries)
    if (entry.kernel == kernel)
      entry.isBaseline = entry.number == number;
}

void HistoryLog::clear(const std::string &kernel) {
  if (std::erase_if(m_entries, [&](const HistoryEntry &entry) { return entry.kernel == kernel; }) >
      0)
    ++m_numChanges;
}

std::vector<HistoryEntry> HistoryLog::entriesOf(const std::string &kernel) const {
  std::vector<HistoryEntry> found;
  std::ranges::copy_if(m_entries, std::back_inserter(found),
                       [&](const HistoryEntry &entry) { return entry.kernel == kernel; });
  return found;
}

const HistoryEntry *HistoryLog::before(const HistoryEntry &version) const {
  const HistoryEntry *found = nullptr;
  for (const HistoryEntry &each : m_entries)
    if (each.kernel == version.kernel && each.number < version.number &&
        (!found || found->number < each.number))
      found = &each;
  return found;
}

const HistoryEntry *HistoryLog::find(int64_t number) const {
  const auto found = std::ranges::find(m_entries, number, &HistoryEntry::number);
  return found == m_entries.end() ? nullptr : &*found;
}

} // namespace tilescope::app
