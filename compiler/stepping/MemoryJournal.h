// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the memory of arguments held before programs wrote it: pages of it, each with the writers of
// its elements.
#pragma once

#include "compiler/interpreter/Frame.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace tilescope::compiler::stepping {

/// Pages as they were at some moment, of all that were written since.
class WrittenPages {
public:
  /// Before the first write of a page its contents are kept.
  void keep(const interpreter::MemoryArea &area, int64_t offset, size_t size);
  /// Puts everything back to what it was.
  void restore() const;
  /// Adds those of the time before: the moment is then the earlier one.
  void addOlder(WrittenPages older);
  size_t bytes() const { return m_bytes; }

private:
  struct Page {
    std::vector<std::byte> data;
    uint32_t *writers = nullptr;
    std::vector<uint32_t> writersBefore;
  };
  /// By where they are.
  std::unordered_map<std::byte *, Page> m_pages;
  size_t m_bytes = 0;
};

/// Keeps what running programs are about to overwrite.
class MemoryJournal : public interpreter::WriteObserver {
public:
  void beforeWrite(const interpreter::MemoryArea &area, int64_t offset, size_t size) override {
    m_pages.keep(area, offset, size);
  }
  const WrittenPages &pages() const { return m_pages; }
  /// Begins anew; returns what was kept until now.
  WrittenPages take() { return std::exchange(m_pages, {}); }

private:
  WrittenPages m_pages;
};

} // namespace tilescope::compiler::stepping
