// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <string_view>
#include <utility>

namespace tilescope::profiler {

/// Whether a name from a kernel file, a package or an IR file can name a file inside a folder:
/// short UTF-8 without `/` and control characters that begins with neither `.` nor `-`.
bool isFileName(std::string_view name);
/// The error says that `name` is not one; `what` it is: `argument`.
Status checkFileName(std::string_view what, std::string_view name);

/// A folder that results are written to, and nothing outside it: names are checked, and links
/// inside the folder are not followed.
class OutputFolder {
public:
  static Result<OutputFolder> open(const std::string &path);
  /// Makes the folder, and those above it, when there is none.
  static Result<OutputFolder> make(const std::string &path);

  OutputFolder(OutputFolder &&other) noexcept
      : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}
  OutputFolder &operator=(OutputFolder &&other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
  }
  ~OutputFolder();

  const std::string &path() const { return m_path; }
  std::string pathOf(std::string_view name) const { return m_path + "/" + std::string(name); }

  /// Replaces the file at once, so that a failure leaves the old one.
  Status write(const std::string &name, std::string_view bytes) const;
  /// The folder of this name, made when there is none.
  Result<OutputFolder> folder(const std::string &name) const;

private:
  OutputFolder(std::string path, int descriptor)
      : m_path(std::move(path)), m_descriptor(descriptor) {}

  std::string m_path;
  int m_descriptor;
};

/// Replaces a regular file, or makes it, in the folder open as `folder`; `errno`'s number, 0 for
/// success. For `OutputFolder` and `writeFile`.
int replaceFile(int folder, const std::string &name, std::string_view bytes);
/// Writes to an open file until all is written; `errno`'s number, 0 for success.
int writeAll(int file, std::string_view bytes);

} // namespace tilescope::profiler
