// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/FileIo.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace tilescope::profiler {

static Error fileError(const std::string &what, const std::string &path) {
  return {ErrorCode::InvalidInput,
          "cannot " + what + " `" + path + "`: " + std::strerror(errno ? errno : EIO), ""};
}

Result<std::string> readFile(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  // A folder opens, but nothing can be read from it.
  if (!file || (file.peek() != EOF && !(bytes << file.rdbuf())) || file.bad())
    return fileError("read", path);
  return std::move(bytes).str();
}

Status writeFile(const std::string &path, std::string_view bytes) {
  std::string temporary = path + ".part" + std::to_string(getpid());
  errno = 0;
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    file.close();
    if (!file) {
      Error error = fileError("write", path);
      std::remove(temporary.c_str());
      return error;
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) == 0)
    return std::nullopt;
  Error error = fileError("write", path);
  std::remove(temporary.c_str());
  return error;
}

} // namespace tilescope::profiler
