// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// tilescope-emulate PACKAGE [--inputs DIR] [--dump DIR] [--requests FILE]: what the runner does on
// a GPU, done by the PTX emulator. FILE gets what a GPU would count, as JSON.
#include "profiler/data/FileIo.h"
#include "profiler/data/Npy.h"
#include "profiler/package/InitialTensor.h"
#include "profiler/package/KernelPackage.h"
#include "profiler/package/TensorMap.h"
#include "tests/support/ptx/PtxEmulator.h"
#include "tests/support/ptx/PtxTensorMap.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::tests;

namespace {

uint64_t scalarBits(const PlanScalar &scalar) {
  bool isFloat = scalar.type.starts_with("fp") || scalar.type == "bf16";
  double number = std::visit([](auto value) { return static_cast<double>(value); }, scalar.value);
  if (isFloat)
    return scalar.type == "fp64" ? std::bit_cast<uint64_t>(number)
                                 : std::bit_cast<uint32_t>(static_cast<float>(number));
  return std::visit([](auto value) { return static_cast<uint64_t>(value); }, scalar.value);
}

/// What the emulator reads in place of the driver's encoding.
std::vector<uint8_t> encodeTensorMap(const profiler::TensorMap &map) {
  PtxTensorMap encoded;
  encoded.base = map.address;
  encoded.rank = static_cast<uint8_t>(map.extents.size());
  for (size_t dim = 0; dim < map.extents.size(); ++dim) {
    encoded.extents[dim] = static_cast<uint32_t>(map.extents[dim]);
    encoded.box[dim] = map.box[dim];
    encoded.elementStrides[dim] = 1;
    if (dim > 0)
      encoded.strides[dim - 1] = map.strides[dim - 1];
  }
  const std::map<Dtype, uint8_t> types = {
      {Dtype::Int16, 1}, {Dtype::Uint16, 1}, {Dtype::Int32, 3}, {Dtype::Uint32, 2},
      {Dtype::Int64, 5}, {Dtype::Uint64, 4}, {Dtype::Fp16, 6},  {Dtype::Bf16, 10},
      {Dtype::Fp32, 7},  {Dtype::Fp64, 9}};
  const auto type = types.find(map.dtype);
  encoded.elementType = type == types.end() ? 0 : type->second;
  encoded.swizzle = map.swizzleBytes == 128 ? 3 : map.swizzleBytes / 32;
  std::vector<uint8_t> bytes(PtxTensorMap::kBytes);
  std::memcpy(bytes.data(), &encoded, sizeof(encoded));
  return bytes;
}

/// What the launch passes for a parameter; a tensor is kept in `tensors`.
Status bindArgument(const KernelPackage &package, const PackageParameter &parameter,
                    const std::string &inputs, std::map<std::string, Tensor> &tensors,
                    PtxArgument &out) {
  const PlanArgument *argument = package.plan.argument(parameter.name);
  if (!argument || argument->scalar()) {
    const std::optional<PlanScalar> scalar =
        argument ? *argument->scalar() : extentParameter(package.plan, parameter.name);
    if (!scalar)
      return Error{ErrorCode::InvalidInput, "the plan has no argument `" + parameter.name + "`",
                   ""};
    out.scalar = scalarBits(*scalar);
    return {};
  }
  // A tensor may be described, too, in several ways.
  if (!tensors.contains(parameter.name)) {
    Result<Tensor> initial = initialTensor(*argument, inputs);
    if (!initial)
      return initial.error();
    tensors[parameter.name] = std::move(*initial);
  }
  Tensor &tensor = tensors[parameter.name];
  out.buffer = {reinterpret_cast<uint8_t *>(tensor.data.data()), tensor.data.size()};
  const auto type = compiler::parseSignatureType(parameter.type);
  if (!type || !type->isDescriptor())
    return {};
  const Result<TensorMap> map =
      describeTensor(*type, *argument->tensor(), reinterpret_cast<uint64_t>(tensor.data.data()));
  if (!map)
    return map.error();
  out.bytes = encodeTensorMap(*map);
  return {};
}

int fail(const std::string &message) {
  std::fprintf(stderr, "tilescope-emulate: %s\n", message.c_str());
  return 1;
}

} // namespace

static Status writeRequests(const std::string &path, const PtxStatistics &statistics) {
  std::string text;
  for (const auto &[name, counts] : statistics.requests)
    text += (text.empty() ? "{" : ",\n ") + ("\"" + name + "\": {\"requests\": ") +
            std::to_string(counts.requests) + ", \"sectors\": " + std::to_string(counts.sectors) +
            ", \"lines\": " + std::to_string(counts.lines) +
            ", \"wavefronts\": " + std::to_string(counts.wavefronts) +
            ", \"bytes_asked\": " + std::to_string(counts.bytesAsked) +
            ", \"bytes_used\": " + std::to_string(counts.bytesUsed) + "}";
  return writeFile(path, text.empty() ? "{}\n" : text + "}\n");
}

int main(int argc, char **argv) {
  std::string inputs, dump, requests;
  for (int i = 2; i + 1 < argc; i += 2)
    if (std::strcmp(argv[i], "--inputs") == 0)
      inputs = argv[i + 1];
    else if (std::strcmp(argv[i], "--dump") == 0)
      dump = argv[i + 1];
    else if (std::strcmp(argv[i], "--requests") == 0)
      requests = argv[i + 1];
    else
      argc = 0;
  if (argc < 2 || argc % 2 != 0)
    return fail("usage: tilescope-emulate PACKAGE [--inputs DIR] [--dump DIR] [--requests FILE]");
  Result<KernelPackage> package = readPackage(argv[1]);
  if (!package)
    return fail(package.error().message);

  PtxModule module = parsePtx(package->ptx);
  if (!module.error.empty() || module.kernels.size() != 1)
    return fail("cannot read the PTX: " + module.error);

  std::map<std::string, Tensor> tensors;
  PtxLaunch launch;
  launch.sharedBytes = package->sharedBytes;
  launch.countRequests = !requests.empty();
  for (int axis = 0; axis < 3; ++axis)
    launch.grid[axis] = static_cast<uint32_t>(package->plan.grid[axis]);
  launch.grid[0] *= static_cast<uint32_t>(package->numCtas);
  if (package->numCtas != module.kernels[0].blocks)
    return fail("the package's clusters are not those of the PTX");
  for (const PackageParameter &parameter : package->parameters)
    if (Status status =
            bindArgument(*package, parameter, inputs, tensors, launch.arguments.emplace_back());
        !status)
      return fail(status.error().message);

  const size_t blocks = size_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  constexpr size_t kScratchAlignment = 128;
  std::vector<uint8_t> scratch(blocks * size_t(package->globalScratchBytes) + kScratchAlignment);
  void *begin = scratch.data();
  size_t room = scratch.size();
  std::align(kScratchAlignment, room - kScratchAlignment, begin, room);
  launch.arguments.push_back({{static_cast<uint8_t *>(begin), room}, 0});

  PtxOutcome outcome = emulatePtx(module, module.kernels[0], launch);
  std::fputs(outcome.printed.c_str(), stdout);
  if (!outcome.error.empty())
    return fail(outcome.error);
  std::printf("%lld instructions, %lld barriers, %lld global and %lld shared accesses\n",
              static_cast<long long>(outcome.statistics.instructions),
              static_cast<long long>(outcome.statistics.barriers),
              static_cast<long long>(outcome.statistics.globalAccesses),
              static_cast<long long>(outcome.statistics.sharedAccesses));
  if (!requests.empty())
    if (Status status = writeRequests(requests, outcome.statistics); !status)
      return fail(status.error().message);
  if (!dump.empty())
    for (const auto &[name, tensor] : tensors)
      if (Status status = writeNpy(dump + "/" + name + ".npy", tensor); !status)
        return fail(status.error().message);
  return 0;
}
