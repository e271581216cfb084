// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/KernelPackage.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/TraceJson.h"
#include "profiler/package/BlobFile.h"
#include "profiler/package/PackageHeader.h"
#include "profiler/package/PlanBounds.h"
#include "profiler/package/PlanJson.h"

#include <charconv>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr BlobFormat kFormat{"TSKERNEL", kPackageVersion, "kernel package",
                                    "tilescope package"};
static constexpr uint64_t kMostPackageBytes = uint64_t(1) << 30;

json packageHeader(const KernelPackage &package) {
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
  return encodeBlobFile(kFormat, packageHeader(package),
                        {{"cubin", package.cubin}, {"ptx", package.ptx}});
}

KernelPackage packageFromHeader(const json &header) {
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

std::string packageFault(const KernelPackage &package) {
  // More than any device has, and little enough for 32 bits.
  constexpr int64_t kMostShared = int64_t(16) << 20, kMostScratch = int64_t(1) << 40;
  const auto within = [](int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most;
  };
  if (package.cubin.empty() && package.ptx.empty())
    return "it holds no machine code";
  // Not always a power of two: groups of warps may have their own code.
  if (!within(package.numWarps, 1, 32))
    return "`num_warps` is " + std::to_string(package.numWarps);
  if (!within(package.numCtas, 1, 16))
    return "`num_ctas` is " + std::to_string(package.numCtas);
  if (!within(package.sharedBytes, 0, kMostShared))
    return "`shared_bytes` is " + std::to_string(package.sharedBytes);
  if (package.plan.grid[0] > kGridLimits[0] / package.numCtas)
    return "its grid has too many blocks";
  double scratch = double(package.globalScratchBytes) * package.numCtas;
  for (int64_t extent : package.plan.grid)
    scratch *= double(extent);
  if (package.globalScratchBytes < 0 || scratch > double(kMostScratch))
    return "`global_scratch_bytes` is " + std::to_string(package.globalScratchBytes);
  if (package.parameters.size() > 4 * kMostArguments)
    return "it has " + std::to_string(package.parameters.size()) + " parameters";
  return "";
}

Result<KernelPackage> decodePackage(std::string_view bytes) {
  const Result<BlobFile> file = decodeBlobFile(kFormat, bytes);
  if (!file)
    return file.error();
  try {
    KernelPackage package = packageFromHeader(file->header);
    for (const Blob &blob : file->blobs) {
      // Others are a later version's: what is known here suffices to run.
      if (blob.name == "cubin")
        package.cubin = blob.bytes;
      else if (blob.name == "ptx")
        package.ptx = blob.bytes;
    }
    if (const std::string fault = packageFault(package); !fault.empty())
      return brokenFile(kFormat, fault);
    return package;
  } catch (const std::exception &failure) {
    return brokenFile(kFormat, failure.what());
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
