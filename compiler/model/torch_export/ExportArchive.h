// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct zip;
struct zip_source;

namespace tilescope::model {

/// The entries of a zip whose bytes lie in memory. Nothing is unpacked before it is asked for.
class ExportArchive {
public:
  struct Entry {
    uint64_t index = 0;
    uint64_t bytes = 0;
    bool isCompressed = false;
  };
  /// An entry that is stored as it is: where it begins, from the begin of the archive.
  struct Place {
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };

  /// `bytes` must outlive the archive. The error says what is damaged.
  static Result<ExportArchive> open(std::string_view bytes);

  /// By name, without the folder that all of them are in where there is one.
  const std::map<std::string, Entry, std::less<>> &entries() const { return m_entries; }
  const Entry *find(std::string_view name) const;

  /// The entry's bytes, unpacked; an error where it has more than `most`.
  Result<std::string> text(std::string_view name, uint64_t most) const;
  /// An error where it is compressed.
  Result<Place> place(std::string_view name) const;

private:
  struct Close {
    void operator()(zip *archive) const;
    void operator()(zip_source *source) const;
  };

  explicit ExportArchive(std::string_view bytes) : m_bytes(bytes) {}
  Status listEntries();

  std::string_view m_bytes;
  /// Its position tells where libzip has read.
  std::unique_ptr<zip_source, Close> m_source;
  std::unique_ptr<zip, Close> m_archive;
  std::map<std::string, Entry, std::less<>> m_entries;
};

} // namespace tilescope::model
