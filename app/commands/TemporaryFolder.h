// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <utility>

namespace tilescope::app {

/// A new private folder that goes with this object. One that a killed process left behind goes when
/// the next one is made.
class TemporaryFolder {
public:
  /// The error: TMPDIR names no folder, or it is full.
  static Result<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder &&other) noexcept
      : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1)) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return m_path; }

private:
  TemporaryFolder(std::string path, int lock) : m_path(std::move(path)), m_lock(lock) {}

  std::string m_path;
  /// Open and locked while the folder is in use.
  int m_lock;
};

} // namespace tilescope::app
