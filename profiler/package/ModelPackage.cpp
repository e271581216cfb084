// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/ModelPackage.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/FileIo.h"
#include "profiler/package/BlobFile.h"
#include "profiler/package/PackageHeader.h"

#include <map>
#include <set>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr BlobFormat kFormat{"TS-MODEL", kModelPackageVersion, "model package",
                                    "tilescope model package"};

namespace {
/// Parts of a file, each of which is there once, however many steps use it.
class Parts {
public:
  /// The name of the part with these bytes, which must live on.
  std::string add(const char *kind, std::string_view bytes) {
    const auto [known, isNew] = m_names.try_emplace(bytes, "");
    if (isNew) {
      known->second = kind + std::to_string(m_blobs.size());
      m_blobs.push_back({known->second, bytes});
    }
    return known->second;
  }
  const std::vector<Blob> &blobs() const { return m_blobs; }

private:
  std::map<std::string_view, std::string> m_names;
  std::vector<Blob> m_blobs;
};
} // namespace

static json bufferJson(const ModelBuffer &buffer, Parts &parts) {
  json object = {{"at", buffer.at}, {"bytes", buffer.bytes}};
  if (!buffer.data.empty())
    object["data"] = parts.add("data", buffer.data);
  return object;
}

static json stepJson(const ModelStep &step, Parts &parts) {
  json kernel = packageHeader(step.kernel);
  for (const auto &[key, code] :
       {std::pair("cubin", &step.kernel.cubin), {"ptx", &step.kernel.ptx}})
    if (!code->empty())
      kernel[key] = parts.add(key, *code);
  json tensors = json::array();
  for (const StepTensor &tensor : step.tensors)
    tensors.push_back({{"argument", tensor.argument},
                       {"buffer", tensor.buffer},
                       {"is_written", tensor.isWritten}});
  return {{"node", step.node}, {"kernel", std::move(kernel)}, {"tensors", std::move(tensors)}};
}

static json portsJson(const std::vector<ModelPort> &ports) {
  json list = json::array();
  for (const ModelPort &port : ports)
    list.push_back({{"name", port.name},
                    {"dtype", dtypeName(port.dtype)},
                    {"shape", port.shape},
                    {"buffer", port.buffer}});
  return list;
}

std::string encodeModelPackage(const ModelPackage &package) {
  Parts parts;
  json buffers = json::array(), steps = json::array();
  for (const ModelBuffer &buffer : package.buffers)
    buffers.push_back(bufferJson(buffer, parts));
  for (const ModelStep &step : package.steps)
    steps.push_back(stepJson(step, parts));
  json header = {{"model", package.model},
                 {"target", package.target},
                 {"generator", package.generator},
                 {"memory_bytes", package.memoryBytes},
                 {"buffers", std::move(buffers)},
                 {"steps", std::move(steps)},
                 {"inputs", portsJson(package.inputs)},
                 {"outputs", portsJson(package.outputs)}};
  return encodeBlobFile(kFormat, std::move(header), parts.blobs());
}

std::string outputFileName(size_t output) { return "output_" + std::to_string(output); }

std::string resultFileName(size_t step, const std::string &argument) {
  return "step_" + std::to_string(step) + "_" + argument;
}

using BlobsByName = std::map<std::string, std::string_view>;

/// The part that `key` names; nothing without it. Throws where there is no such part.
static std::string partOf(const json &object, const char *key, const BlobsByName &blobs) {
  if (!object.contains(key))
    return "";
  const auto name = jsonAs<std::string>(object.at(key));
  const auto found = blobs.find(name);
  if (found == blobs.end())
    throw std::invalid_argument("there is no part `" + name + "`");
  return std::string(found->second);
}

static const json &listAt(const json &object, const char *key) {
  const json &list = object.at(key);
  if (!list.is_array())
    throw std::invalid_argument("`" + std::string(key) + "` is not a list");
  return list;
}

static ModelBuffer bufferFrom(const json &object, const BlobsByName &blobs) {
  return {jsonAs<uint64_t>(object.at("at")), jsonAs<uint64_t>(object.at("bytes")),
          partOf(object, "data", blobs)};
}

static ModelStep stepFrom(const json &object, const BlobsByName &blobs) {
  ModelStep step;
  step.node = jsonAs<std::string>(object.at("node"));
  const json &kernel = object.at("kernel");
  step.kernel = packageFromHeader(kernel);
  step.kernel.cubin = partOf(kernel, "cubin", blobs);
  step.kernel.ptx = partOf(kernel, "ptx", blobs);
  for (const json &tensor : listAt(object, "tensors"))
    step.tensors.push_back({jsonAs<std::string>(tensor.at("argument")),
                            jsonAs<size_t>(tensor.at("buffer")),
                            jsonAs<bool>(tensor.at("is_written"))});
  return step;
}

static std::vector<ModelPort> portsFrom(const json &list) {
  std::vector<ModelPort> ports;
  for (const json &object : list) {
    const auto dtype = parseDtype(jsonAs<std::string>(object.at("dtype")));
    if (!dtype)
      throw std::invalid_argument("unknown element type");
    ports.push_back({jsonAs<std::string>(object.at("name")), *dtype,
                     jsonAs<std::vector<int64_t>>(object.at("shape")),
                     jsonAs<size_t>(object.at("buffer"))});
  }
  return ports;
}

/// Throws when the header lacks something or has it in another form.
static ModelPackage packageFrom(const json &header, const BlobsByName &blobs) {
  const json &buffers = listAt(header, "buffers"), &steps = listAt(header, "steps");
  if (steps.size() > kMostModelSteps || buffers.size() > kMostModelBuffers)
    throw std::invalid_argument("it has " + std::to_string(steps.size()) + " steps and " +
                                std::to_string(buffers.size()) + " buffers: that is too many");
  ModelPackage package;
  package.model = jsonAs<std::string>(header.at("model"));
  package.target = jsonAs<std::string>(header.at("target"));
  package.generator = jsonOr(header, "generator", std::string());
  package.memoryBytes = jsonAs<uint64_t>(header.at("memory_bytes"));
  for (const json &buffer : buffers)
    package.buffers.push_back(bufferFrom(buffer, blobs));
  for (const json &step : steps)
    package.steps.push_back(stepFrom(step, blobs));
  package.inputs = portsFrom(listAt(header, "inputs"));
  package.outputs = portsFrom(listAt(header, "outputs"));
  return package;
}

/// Why a tensor does not lie in the buffer of this number; empty: it does.
static std::string placeFault(const ModelPackage &package, size_t buffer, Dtype dtype,
                              const std::vector<int64_t> &shape) {
  if (buffer >= package.buffers.size())
    return "lies in buffer " + std::to_string(buffer) + ", and there are " +
           std::to_string(package.buffers.size());
  const auto bytes = tensorBytes(dtype, shape);
  if (!bytes)
    return "is too large";
  const auto size = static_cast<uint64_t>(numElements(shape) * dtypeSize(dtype));
  if (size > package.buffers[buffer].bytes)
    return "takes " + std::to_string(size) + " bytes, and its buffer has " +
           std::to_string(package.buffers[buffer].bytes);
  return "";
}

static std::string stepFault(const ModelPackage &package, const ModelStep &step) {
  if (std::string fault = packageFault(step.kernel); !fault.empty())
    return fault;
  std::set<std::string_view> bound;
  for (const StepTensor &tensor : step.tensors) {
    const PlanArgument *argument = step.kernel.plan.argument(tensor.argument);
    const PlanTensor *plan = argument ? argument->tensor() : nullptr;
    if (!plan || !bound.insert(tensor.argument).second)
      return "`" + tensor.argument +
             (plan ? "` has two places" : "` is not a tensor of the launch");
    if (const std::string fault = placeFault(package, tensor.buffer, plan->dtype, plan->shape);
        !fault.empty())
      return "`" + tensor.argument + "` " + fault;
    if (tensor.isWritten && !package.buffers[tensor.buffer].data.empty())
      return "`" + tensor.argument + "` is written, and its buffer has contents that are kept";
  }
  for (const PlanArgument &argument : step.kernel.plan.args)
    if (argument.tensor() && !bound.contains(argument.name))
      return "`" + argument.name + "` has no place in the memory";
  return "";
}

static std::string bufferFault(const ModelPackage &package, const ModelBuffer &buffer) {
  if (buffer.at > package.memoryBytes || buffer.bytes > package.memoryBytes - buffer.at)
    return "is outside the memory";
  // Kernels are compiled for addresses that are multiples of 16, and tensors begin at multiples of 256.
  if (buffer.at % 256 != 0)
    return "begins at " + std::to_string(buffer.at) + ", not at a multiple of 256";
  if (!buffer.data.empty() && buffer.bytes % buffer.data.size() != 0)
    return "has contents that do not fill it";
  return "";
}

/// What is wrong with a package that was read; empty: nothing.
static std::string modelFault(const ModelPackage &package) {
  if (package.memoryBytes > uint64_t(kMostTensorBytes))
    return "it takes " + std::to_string(package.memoryBytes) + " bytes of memory";
  for (size_t i = 0; i < package.buffers.size(); ++i)
    if (const std::string fault = bufferFault(package, package.buffers[i]); !fault.empty())
      return "buffer " + std::to_string(i) + " " + fault;
  for (size_t i = 0; i < package.steps.size(); ++i)
    if (const std::string fault = stepFault(package, package.steps[i]); !fault.empty())
      return "step " + std::to_string(i) + ": " + fault;
  for (const auto *ports : {&package.inputs, &package.outputs})
    for (const ModelPort &port : *ports)
      if (const std::string fault = placeFault(package, port.buffer, port.dtype, port.shape);
          !fault.empty())
        return "`" + port.name + "` " + fault;
  return "";
}

Result<ModelPackage> decodeModelPackage(std::string_view bytes) {
  const Result<BlobFile> file = decodeBlobFile(kFormat, bytes);
  if (!file)
    return file.error();
  try {
    BlobsByName blobs;
    for (const Blob &blob : file->blobs)
      blobs[blob.name] = blob.bytes;
    ModelPackage package = packageFrom(file->header, blobs);
    if (const std::string fault = modelFault(package); !fault.empty())
      return brokenFile(kFormat, fault);
    return package;
  } catch (const std::exception &failure) {
    return brokenFile(kFormat, failure.what());
  }
}

Status writeModelPackage(const std::string &path, const ModelPackage &package) {
  return writeFile(path, encodeModelPackage(package));
}

Result<ModelPackage> readModelPackage(const std::string &path) {
  const Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<ModelPackage> package = decodeModelPackage(*bytes);
  if (!package)
    return inFile(path, package.error());
  return package;
}

} // namespace tilescope::profiler
