// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tilescope::app {

/// A new folder that goes with this object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    m_path = (std::filesystem::temp_directory_path() / "tilescope-XXXXXX").string();
    if (mkdtemp(m_path.data()) == nullptr)
      m_path.clear();
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!m_path.empty())
      std::filesystem::remove_all(m_path, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::string &path() const { return m_path; }

private:
  std::string m_path;
};

} // namespace tilescope::app
