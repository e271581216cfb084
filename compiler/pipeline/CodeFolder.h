// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A folder of compiled code, by the content that determines it. What lies there is executed, so only files that nobody
// but the user can have written are read; and a file says what its bytes must be, so that damaged ones are none. Whatever
// is wrong with the folder, kernels are compiled as if it were empty.
#pragma once

#include "compiler/pipeline/StageCache.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// All files together.
inline constexpr uint64_t kMostKeptCodeBytes = uint64_t{64} << 20;

class CodeFolder {
public:
  /// Keeps nothing.
  CodeFolder() = default;
  explicit CodeFolder(std::string path, uint64_t mostBytes = kMostKeptCodeBytes);

  std::optional<std::string> find(const ContentKey &key) const;
  /// Makes the folder, and deletes what was used longest ago when there is more than the limit.
  void insert(const ContentKey &key, std::string_view bytes) const;

private:
  void prune() const;

  std::string m_path;
  uint64_t m_mostBytes = 0;
};

} // namespace tilescope::compiler
