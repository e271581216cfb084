// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/PendingAccesses.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::compiler {

void PendingAccesses::add(ByteRange range, AccessKinds kinds) {
  if (kinds == 0)
    return;
  auto *it = llvm::lower_bound(m_entries, range, [](const Entry &entry, const ByteRange &value) {
    return entry.range < value;
  });
  if (it != m_entries.end() && it->range == range)
    it->kinds |= kinds;
  else
    m_entries.insert(it, {range, kinds});
}

bool PendingAccesses::join(const PendingAccesses &other) {
  const PendingAccesses before = *this;
  for (const Entry &entry : other.m_entries)
    add(entry.range, entry.kinds);
  return *this != before;
}

void PendingAccesses::joinAs(const PendingAccesses &other, AccessKinds from, AccessKind as) {
  // The other may be this one.
  for (const Entry &entry : llvm::SmallVector<Entry, 4>(other.m_entries))
    if (entry.kinds & from)
      add(entry.range, as);
}

void PendingAccesses::addUnfenced(const PendingAccesses &other) {
  for (const Entry &entry : other.m_entries)
    if (entry.range.begin < kTensorMemory && (entry.kinds & (kWritten | kMade)))
      add(entry.range, kUnfenced);
}

void PendingAccesses::drop(AccessKinds kinds) {
  for (Entry &entry : m_entries)
    entry.kinds &= ~kinds;
  llvm::erase_if(m_entries, [](const Entry &entry) { return entry.kinds == 0; });
}

bool PendingAccesses::has(AccessKinds kinds) const {
  return llvm::any_of(m_entries, [&](const Entry &entry) { return entry.kinds & kinds; });
}

bool PendingAccesses::overlaps(AccessKinds kinds, const PendingAccesses &other,
                               AccessKinds others) const {
  for (const Entry &here : m_entries)
    for (const Entry &there : other.m_entries)
      if ((here.kinds & kinds) && (there.kinds & others) && here.range.begin < there.range.end &&
          there.range.begin < here.range.end)
        return true;
  return false;
}

bool PendingAccesses::conflictsWith(const PendingAccesses &next) const {
  // What one thread does to a barrier object needs nothing in between, and the next phase orders
  // those who wait for it.
  return overlaps(kRead, next, kWritten | kMade | kArmed) ||
         overlaps(kWritten, next, kRead | kWritten | kMade | kArmed) ||
         overlaps(kMade, next, kRead | kWritten) || overlaps(kArmed, next, kWritten);
}

} // namespace tilescope::compiler
