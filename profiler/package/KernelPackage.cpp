// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/KernelPackage.h"

#include "profiler/data/FileIo.h"
#include "profiler/package/PlanJson.h"

namespace tilescope::profiler {

using nlohmann::json;

static constexpr std::string_view kMagic = "TSKERNEL";
static constexpr size_t kPrefixBytes = 16;
static constexpr size_t kAlignment = 16;

static uint64_t fnv1a(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char byte : bytes)
    hash = (hash ^ uint8_t(byte)) * 0x100000001b3;
  return hash;
}

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

static json headerOf(const KernelPackage &package) {
  json parameters = json::array();
  for (const PackageParameter &parameter : package.parameters)
    parameters.push_back({{"name", parameter.name}, {"type", parameter.type}});
  json header = {{"symbol", package.symbol},
                 {"target", package.target},
                 {"num_warps", package.numWarps},
                 {"num_ctas", package.numCtas},
                 {"shared_bytes", package.sharedBytes},
                 {"global_scratch_bytes", package.globalScratchBytes},
                 {"parameters", std::move(parameters)},
                 {"plan", planToJson(package.plan)},
                 {"source_path", package.sourcePath},
                 {"source_text", package.sourceText},
                 {"generator", package.generator}};
  if (package.registers)
    header["registers"] = *package.registers;
  if (package.spillBytes)
    header["spill_bytes"] = *package.spillBytes;
  return header;
}

static size_t aligned(size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

std::string encodePackage(const KernelPackage &package) {
  json header = headerOf(package);
  std::string blobs;
  json list = json::array();
  auto add = [&](const char *name, const std::string &bytes) {
    if (bytes.empty())
      return;
    blobs.resize(aligned(blobs.size()));
    list.push_back({{"name", name},
                    {"offset", blobs.size()},
                    {"size", bytes.size()},
                    {"fnv1a", fnv1a(bytes)}});
    blobs += bytes;
  };
  add("cubin", package.cubin);
  add("ptx", package.ptx);
  header["blobs"] = std::move(list);
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string bytes(kMagic);
  appendUint32(bytes, kPackageVersion);
  appendUint32(bytes, uint32_t(text.size()));
  bytes += text;
  bytes.resize(aligned(bytes.size()));
  return bytes + blobs;
}

static Error broken(const std::string &what) {
  return {ErrorCode::InvalidInput, "not a readable kernel package: " + what,
          "write it again with `tilescope package`"};
}

/// Throws when the header lacks something or has it in another form.
static KernelPackage packageFromHeader(const json &header) {
  KernelPackage package;
  header.at("symbol").get_to(package.symbol);
  header.at("target").get_to(package.target);
  header.at("num_warps").get_to(package.numWarps);
  header.at("num_ctas").get_to(package.numCtas);
  header.at("shared_bytes").get_to(package.sharedBytes);
  package.globalScratchBytes = header.value("global_scratch_bytes", int64_t(0));
  for (const json &parameter : header.at("parameters"))
    package.parameters.push_back({parameter.at("name"), parameter.at("type")});
  package.plan = planFromJson(header.at("plan"));
  package.sourcePath = header.value("source_path", "");
  package.sourceText = header.value("source_text", "");
  package.generator = header.value("generator", "");
  if (header.contains("registers"))
    package.registers = header.at("registers").get<int64_t>();
  if (header.contains("spill_bytes"))
    package.spillBytes = header.at("spill_bytes").get<int64_t>();
  return package;
}

static Status readBlobs(const json &list, std::string_view blobs, KernelPackage &package) {
  for (const json &blob : list) {
    std::string name = blob.at("name");
    uint64_t offset = blob.at("offset"), size = blob.at("size");
    if (offset > blobs.size() || size > blobs.size() - offset)
      return broken("`" + name + "` is cut off");
    std::string_view bytes = blobs.substr(offset, size);
    if (fnv1a(bytes) != blob.at("fnv1a").get<uint64_t>())
      return broken("`" + name + "` is damaged");
    // Others are a later version's: what is known here suffices to run.
    if (name == "cubin")
      package.cubin = bytes;
    else if (name == "ptx")
      package.ptx = bytes;
  }
  return std::nullopt;
}

static Status checkFacts(const KernelPackage &package) {
  if (package.cubin.empty() && package.ptx.empty())
    return broken("it holds no machine code");
  // No power of two where groups of warps have code of their own.
  if (package.numWarps < 1 || package.numWarps > 32)
    return broken("`num_warps` is " + std::to_string(package.numWarps));
  if (package.numCtas < 1 || package.numCtas > 16)
    return broken("`num_ctas` is " + std::to_string(package.numCtas));
  if (package.sharedBytes < 0 || package.globalScratchBytes < 0)
    return broken("a size is negative");
  return std::nullopt;
}

Result<KernelPackage> decodePackage(std::string_view bytes) {
  if (bytes.size() < kPrefixBytes || bytes.substr(0, kMagic.size()) != kMagic)
    return broken("it does not begin with `TSKERNEL`");
  uint32_t version = uint32At(bytes, 8), headerBytes = uint32At(bytes, 12);
  if (version > kPackageVersion)
    return Error{ErrorCode::InvalidInput,
                 "the kernel package has format " + std::to_string(version) +
                     ", this program reads up to " + std::to_string(kPackageVersion),
                 "use a newer tilescope-runner"};
  if (headerBytes > bytes.size() - kPrefixBytes)
    return broken("the header is cut off");
  std::string_view header = bytes.substr(kPrefixBytes, headerBytes);
  std::string_view blobs =
      bytes.substr(std::min(aligned(kPrefixBytes + headerBytes), bytes.size()));
  try {
    json object = json::parse(header);
    KernelPackage package = packageFromHeader(object);
    if (Status status = readBlobs(object.at("blobs"), blobs, package))
      return *status;
    if (Status status = checkFacts(package))
      return *status;
    return package;
  } catch (const std::exception &failure) {
    return broken(failure.what());
  }
}

Status writePackage(const std::string &path, const KernelPackage &package) {
  return writeFile(path, encodePackage(package));
}

Result<KernelPackage> readPackage(const std::string &path) {
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<KernelPackage> package = decodePackage(*bytes);
  if (package)
    return package;
  Error error = package.error();
  error.message = "`" + path + "`: " + error.message;
  return error;
}

} // namespace tilescope::profiler
