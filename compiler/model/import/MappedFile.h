// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <filesystem>
#include <string_view>

namespace tilescope::model {

/// A file whose bytes are read where they lie. Owns the mapping.
class MappedFile {
public:
  /// Only regular files can be mapped.
  static Result<MappedFile> open(const std::filesystem::path &path);
  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {m_data, m_size}; }

private:
  MappedFile(const char *data, size_t size) : m_data(data), m_size(size) {}

  const char *m_data = nullptr;
  size_t m_size = 0;
};

} // namespace tilescope::model
