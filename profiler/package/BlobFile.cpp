// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/BlobFile.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/Checksum.h"

#include <algorithm>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr size_t kPrefixBytes = 16;
static constexpr size_t kAlignment = 16;
/// The header holds the kernel's source.
static constexpr size_t kMostHeaderBytes = size_t(256) << 20;

static void appendUint32(std::string &target, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    target += char(value >> shift & 0xff);
}

static uint32_t uint32At(std::string_view bytes, size_t offset) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= uint32_t(uint8_t(bytes[offset + i])) << (8 * i);
  return value;
}

static size_t aligned(size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

Error brokenFile(const BlobFormat &format, const std::string &what) {
  return {ErrorCode::InvalidInput, "not a readable " + std::string(format.name) + ": " + what,
          "write it again with `" + std::string(format.writer) + "`"};
}

std::string encodeBlobFile(const BlobFormat &format, json header, const std::vector<Blob> &blobs) {
  std::string contents;
  json list = json::array();
  for (const Blob &blob : blobs) {
    if (blob.bytes.empty())
      continue;
    contents.resize(aligned(contents.size()));
    list.push_back({{"name", blob.name},
                    {"offset", contents.size()},
                    {"size", blob.bytes.size()},
                    {"fnv1a", fnv1a(blob.bytes)}});
    contents += blob.bytes;
  }
  header["blobs"] = std::move(list);
  const std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string bytes(format.magic);
  appendUint32(bytes, format.version);
  appendUint32(bytes, uint32_t(text.size()));
  bytes += text;
  bytes.resize(aligned(bytes.size()));
  return bytes + contents;
}

static Result<std::vector<Blob>> blobsOf(const BlobFormat &format, const json &list,
                                         std::string_view contents) {
  std::vector<Blob> blobs;
  // In file order and apart, so that no byte is read twice.
  uint64_t end = 0;
  for (const json &each : list) {
    const auto name = jsonAs<std::string>(each.at("name"));
    const auto offset = jsonAs<uint64_t>(each.at("offset")),
               size = jsonAs<uint64_t>(each.at("size"));
    if (offset > contents.size() || size > contents.size() - offset)
      return brokenFile(format, "`" + name + "` is cut off");
    if (offset < end)
      return brokenFile(format, "`" + name + "` overlaps the part before it");
    end = offset + size;
    const std::string_view bytes = contents.substr(offset, size);
    if (fnv1a(bytes) != jsonAs<uint64_t>(each.at("fnv1a")))
      return brokenFile(format, "`" + name + "` is damaged");
    blobs.push_back({name, bytes});
  }
  return blobs;
}

Result<BlobFile> decodeBlobFile(const BlobFormat &format, std::string_view bytes) {
  if (bytes.size() < kPrefixBytes || bytes.substr(0, format.magic.size()) != format.magic)
    return brokenFile(format, "it does not begin with `" + std::string(format.magic) + "`");
  const uint32_t version = uint32At(bytes, 8), headerBytes = uint32At(bytes, 12);
  if (version > format.version)
    return Error{ErrorCode::InvalidInput,
                 "the " + std::string(format.name) + " has format " + std::to_string(version) +
                     ", but this program reads only up to " + std::to_string(format.version),
                 "use a newer tilescope-runner"};
  if (headerBytes > bytes.size() - kPrefixBytes)
    return brokenFile(format, "the header is cut off");
  Result<json> header =
      parseJson(bytes.substr(kPrefixBytes, headerBytes), {.maxBytes = kMostHeaderBytes});
  if (!header)
    return brokenFile(format, header.error().message);
  try {
    auto blobs = blobsOf(format, header->at("blobs"),
                         bytes.substr(std::min(aligned(kPrefixBytes + headerBytes), bytes.size())));
    if (!blobs)
      return blobs.error();
    return BlobFile{std::move(*header), std::move(*blobs)};
  } catch (const std::exception &failure) {
    return brokenFile(format, failure.what());
  }
}

} // namespace tilescope::profiler
