// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tilescope::model {

static Error unreadable(const std::filesystem::path &path, const std::string &why) {
  return {ErrorCode::InvalidInput, "cannot read `" + path.string() + "`: " + why, ""};
}

Result<MappedFile> MappedFile::open(const std::filesystem::path &path) {
  // A pipe would wait for its other end.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return unreadable(path, std::strerror(errno));
  struct stat status{};
  const bool isKnown = fstat(file, &status) == 0;
  if (!isKnown || !S_ISREG(status.st_mode)) {
    close(file);
    return unreadable(path, isKnown && S_ISDIR(status.st_mode) ? "it is a folder"
                                                               : "it is not a regular file");
  }
  const auto size = static_cast<size_t>(status.st_size);
  void *data = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  const int fault = errno;
  close(file);
  if (data == MAP_FAILED)
    return unreadable(path, std::strerror(fault));
  return MappedFile(static_cast<const char *>(data), size);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  return *this;
}

MappedFile::~MappedFile() {
  if (m_data)
    munmap(const_cast<char *>(m_data), m_size);
}

} // namespace tilescope::model
