// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/history/HistoryModel.h"

#include "compiler/support/BytesText.h"
#include "views/common/Theme.h"

#include <algorithm>

namespace tilescope::views {

void HistoryModel::setEntries(std::vector<HistoryEntry> entries) {
  if (entries == m_entries)
    return;
  beginResetModel();
  m_entries = std::move(entries);
  endResetModel();
}

const HistoryEntry *HistoryModel::entryAt(int row) const {
  return row >= 0 && row < rowCount() ? &m_entries[positionOf(row)] : nullptr;
}

int HistoryModel::rowOf(int64_t number) const {
  const auto found = std::ranges::find(m_entries, number, &HistoryEntry::number);
  return found == m_entries.end() ? -1 : static_cast<int>(m_entries.end() - found) - 1;
}

int HistoryModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : Count;
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  struct Title {
    QString title;
    QString explanation;
  };
  const Title titles[] = {
      {tr("Version"), tr("In the order in which they came; ★ marks the baseline")},
      {tr("When"), tr("When this version was compiled first, or ran")},
      {tr("Change"), tr("What is different from the version before it")},
      {tr("Registers"), tr("Registers of each thread")},
      {tr("Spilled"), tr("What each thread keeps in memory because registers do not suffice")},
      {tr("Shared"), tr("Shared memory of each program")},
      {tr("Time"), tr("Median time of the kernel, with its 95 % confidence interval")},
      {tr("vs. baseline"), tr("Its time compared with that of the baseline on the same device")}};
  const Title &title = titles[section];
  return role == Qt::DisplayRole   ? QVariant(title.title)
         : role == Qt::ToolTipRole ? QVariant(title.explanation)
                                   : QVariant();
}

QString HistoryModel::changeText(int row) const {
  const size_t position = positionOf(row);
  const HistoryEntry &entry = m_entries[position];
  QStringList parts;
  if (entry.isWrong)
    parts << (entry.time ? tr("wrong result") : tr("run failed"));
  if (position == 0)
    // Numbers count the versions of all kernels of the file.
    parts << (entry.number == 1 ? tr("first version") : tr("oldest version of this kernel"));
  else {
    const HistoryEntry &before = m_entries[position - 1];
    const QString difference = versionDifference(before, entry);
    const bool isSameCode = !entry.digest.isEmpty() && entry.digest == before.digest;
    parts << (!difference.isEmpty()       ? difference
              : before.text == entry.text ? tr("same text")
              // A run may end before its compile does.
              : !entry.facts ? tr("not compiled to its end yet")
              : isSameCode   ? tr("same instructions")
                             : tr("other instructions, with the same resources"));
  }
  return parts.join(QStringLiteral(" · "));
}

static QString numberText(int64_t value) {
  return value < 0 ? QStringLiteral("–") : QString::number(value);
}

static QString sizeText(int64_t bytes) {
  return bytes < 0 ? QStringLiteral("–")
                   : QString::fromStdString(bytesText(static_cast<uint64_t>(bytes)));
}

QString HistoryModel::cellText(int row, int column) const {
  const HistoryEntry &entry = *entryAt(row);
  switch (column) {
  case Number:
    return entry.isBaseline ? QStringLiteral("%1 ★").arg(entry.number)
                            : QString::number(entry.number);
  case When: {
    const bool isToday = entry.when.date() == QDate::currentDate();
    return entry.when.toString(isToday ? QStringLiteral("HH:mm:ss")
                                       : QStringLiteral("yyyy-MM-dd HH:mm"));
  }
  case Change:
    return changeText(row);
  case Registers:
    return numberText(entry.facts ? entry.facts->registers : -1);
  case Spilled:
    return sizeText(entry.facts ? entry.facts->spillBytes : -1);
  case Shared:
    return sizeText(entry.facts ? entry.facts->sharedBytes : -1);
  case Time:
    return entry.time ? timeText(*entry.time) : QString();
  case AgainstBaseline: {
    const auto baseline = std::ranges::find(m_entries, true, &HistoryEntry::isBaseline);
    if (baseline == m_entries.end() || baseline->number == entry.number)
      return {};
    const auto change = timeChange(*baseline, entry);
    return change ? QStringLiteral("%1%2 % ± %3 %")
                        .arg(change->change < 0 ? QChar(0x2212) : u'+')
                        .arg(100 * std::abs(change->change), 0, 'f', 1)
                        .arg(100 * change->uncertainty, 0, 'f', 1)
                  : QString();
  }
  default:
    return {};
  }
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const {
  const HistoryEntry *entry = index.isValid() ? entryAt(index.row()) : nullptr;
  if (!entry)
    return {};
  const int column = index.column();
  const bool isNumeric = column != Change && column != When && column != Number;
  switch (role) {
  case Qt::DisplayRole:
    return cellText(index.row(), column);
  case Qt::ToolTipRole:
    if (column == Time && entry->time)
      return entry->time->device.isEmpty()
                 ? tr("On the CPU: says nothing about a GPU")
                 : tr("Median of %1 runs on %2").arg(entry->time->runs).arg(entry->time->device);
    return column == Change ? cellText(index.row(), column) : QVariant();
  case Qt::TextAlignmentRole:
    return int((isNumeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case Qt::ForegroundRole:
    if (entry->isWrong && column == Change)
      return theme()[ColorRole::Error];
    return column == Spilled && entry->facts && entry->facts->spillBytes > 0
               ? QVariant(theme()[ColorRole::Warning])
               : QVariant();
  default:
    return {};
  }
}

} // namespace tilescope::views
