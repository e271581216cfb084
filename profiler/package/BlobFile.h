// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A JSON header with parts of bytes behind it, in one file:
///
///     offset 0   magic                      8 bytes
///     offset 8   format version             uint32, little-endian; a reader refuses newer ones
///     offset 12  length of the header       uint32, little-endian
///     offset 16  header                     JSON, UTF-8; its list `blobs` says what follows
///     then       blobs                      each at the offset (from the end of the header, rounded up to
///                                           16 bytes), with the size and FNV-1a checksum that the header lists
namespace tilescope::profiler {

struct BlobFormat {
  /// Eight characters.
  std::string_view magic;
  uint32_t version = 1;
  /// For errors: `kernel package`.
  const char *name;
  /// What writes such a file anew, for hints.
  const char *writer;
};

struct Blob {
  std::string name;
  std::string_view bytes;
};

/// What was read; the blobs lie in the bytes that were read from.
struct BlobFile {
  nlohmann::json header;
  std::vector<Blob> blobs;
};

/// Empty blobs are left out. `header`: an object.
std::string encodeBlobFile(const BlobFormat &format, nlohmann::json header,
                           const std::vector<Blob> &blobs);
/// Files cut off, altered or made by hand lead to an error that says what is wrong.
Result<BlobFile> decodeBlobFile(const BlobFormat &format, std::string_view bytes);
/// What is wrong with such a file.
Error brokenFile(const BlobFormat &format, const std::string &what);

} // namespace tilescope::profiler
