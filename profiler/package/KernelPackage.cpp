// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/KernelPackage.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/Checksum.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/TraceJson.h"
#include "profiler/package/PlanBounds.h"
#include "profiler/package/PlanJson.h"

#include <charconv>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr std::string_view kMagic = "TSKERNEL";
static constexpr size_t kPrefixBytes = 16;
static constexpr size_t kAlignment = 16;
/// The header holds the kernel's source.
static constexpr size_t kMostHeaderBytes = size_t(256) << 20;
static constexpr uint64_t kMostPackageBytes = uint64_t(1) << 30;

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
  if (package.trace)
    header["trace"] = traceTableToJson(*package.trace);
  return header;
}

static size_t aligned(size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

/// `cuda:90` -> 90; 0 when it is not such a target.
static int targetNumber(std::string_view target) {
  constexpr std::string_view kBegin = "cuda:";
  int number = 0;
  if (target.starts_with(kBegin))
    std::from_chars(target.data() + kBegin.size(), target.data() + target.size(), number);
  return number;
}

bool targetFits(std::string_view target, const DeviceInfo &device) {
  const int number = targetNumber(target);
  return number > 0 && number / 10 == device.computeMajor && number % 10 <= device.computeMinor;
}

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
  package.symbol = jsonAs<std::string>(header.at("symbol"));
  package.target = jsonAs<std::string>(header.at("target"));
  package.numWarps = jsonAs<int32_t>(header.at("num_warps"));
  package.numCtas = jsonAs<int32_t>(header.at("num_ctas"));
  package.sharedBytes = jsonAs<int64_t>(header.at("shared_bytes"));
  package.globalScratchBytes = jsonOr(header, "global_scratch_bytes", int64_t(0));
  for (const json &parameter : header.at("parameters"))
    package.parameters.push_back(
        {jsonAs<std::string>(parameter.at("name")), jsonAs<std::string>(parameter.at("type"))});
  package.plan = planFromJson(header.at("plan"));
  package.sourcePath = jsonOr(header, "source_path", std::string());
  package.sourceText = jsonOr(header, "source_text", std::string());
  package.generator = jsonOr(header, "generator", std::string());
  if (header.contains("registers"))
    package.registers = jsonAs<int64_t>(header.at("registers"));
  if (header.contains("spill_bytes"))
    package.spillBytes = jsonAs<int64_t>(header.at("spill_bytes"));
  if (header.contains("trace"))
    package.trace = traceTableFromJson(header.at("trace"));
  return package;
}

static Status readBlobs(const json &list, std::string_view blobs, KernelPackage &package) {
  // In file order and apart, so that no byte is read twice.
  uint64_t end = 0;
  for (const json &blob : list) {
    const auto name = jsonAs<std::string>(blob.at("name"));
    const auto offset = jsonAs<uint64_t>(blob.at("offset")),
               size = jsonAs<uint64_t>(blob.at("size"));
    if (offset > blobs.size() || size > blobs.size() - offset)
      return broken("`" + name + "` is cut off");
    if (offset < end)
      return broken("`" + name + "` overlaps the part before it");
    end = offset + size;
    std::string_view bytes = blobs.substr(offset, size);
    if (fnv1a(bytes) != jsonAs<uint64_t>(blob.at("fnv1a")))
      return broken("`" + name + "` is damaged");
    // Others are a later version's: what is known here suffices to run.
    if (name == "cubin")
      package.cubin = bytes;
    else if (name == "ptx")
      package.ptx = bytes;
  }
  return {};
}

static Status checkFacts(const KernelPackage &package) {
  // More than any device has, and little enough for 32 bits.
  constexpr int64_t kMostShared = int64_t(16) << 20, kMostScratch = int64_t(1) << 40;
  const auto within = [](int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most;
  };
  if (package.cubin.empty() && package.ptx.empty())
    return broken("it holds no machine code");
  // Not always a power of two: groups of warps may have their own code.
  if (!within(package.numWarps, 1, 32))
    return broken("`num_warps` is " + std::to_string(package.numWarps));
  if (!within(package.numCtas, 1, 16))
    return broken("`num_ctas` is " + std::to_string(package.numCtas));
  if (!within(package.sharedBytes, 0, kMostShared))
    return broken("`shared_bytes` is " + std::to_string(package.sharedBytes));
  if (package.plan.grid[0] > kGridLimits[0] / package.numCtas)
    return broken("its grid has too many blocks");
  double scratch = double(package.globalScratchBytes) * package.numCtas;
  for (int64_t extent : package.plan.grid)
    scratch *= double(extent);
  if (package.globalScratchBytes < 0 || scratch > double(kMostScratch))
    return broken("`global_scratch_bytes` is " + std::to_string(package.globalScratchBytes));
  if (package.parameters.size() > 4 * kMostArguments)
    return broken("it has " + std::to_string(package.parameters.size()) + " parameters");
  return {};
}

Result<KernelPackage> decodePackage(std::string_view bytes) {
  if (bytes.size() < kPrefixBytes || bytes.substr(0, kMagic.size()) != kMagic)
    return broken("it does not begin with `TSKERNEL`");
  uint32_t version = uint32At(bytes, 8), headerBytes = uint32At(bytes, 12);
  if (version > kPackageVersion)
    return Error{ErrorCode::InvalidInput,
                 "the kernel package has format " + std::to_string(version) +
                     ", but this program reads only up to " + std::to_string(kPackageVersion),
                 "use a newer tilescope-runner"};
  if (headerBytes > bytes.size() - kPrefixBytes)
    return broken("the header is cut off");
  std::string_view header = bytes.substr(kPrefixBytes, headerBytes);
  std::string_view blobs =
      bytes.substr(std::min(aligned(kPrefixBytes + headerBytes), bytes.size()));
  Result<json> object = parseJson(header, {.maxBytes = kMostHeaderBytes});
  if (!object)
    return broken(object.error().message);
  try {
    KernelPackage package = packageFromHeader(*object);
    if (Status status = readBlobs(object->at("blobs"), blobs, package); !status)
      return status.error();
    if (Status status = checkFacts(package); !status)
      return status.error();
    return package;
  } catch (const std::exception &failure) {
    return broken(failure.what());
  }
}

Status writePackage(const std::string &path, const KernelPackage &package) {
  return writeFile(path, encodePackage(package));
}

Result<KernelPackage> readPackage(const std::string &path) {
  Result<std::string> bytes = readFile(path, kMostPackageBytes);
  if (!bytes)
    return bytes.error();
  Result<KernelPackage> package = decodePackage(*bytes);
  if (!package)
    return inFile(path, package.error());
  return package;
}

} // namespace tilescope::profiler
