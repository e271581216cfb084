// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/InferenceProtocol.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/Element.h"

#include <algorithm>
#include <cmath>

namespace tilescope::profiler {

using nlohmann::json;

std::string_view datatypeName(Dtype dtype) {
  switch (dtype) {
  case Dtype::Int1:
    return "BOOL";
  case Dtype::Int8:
    return "INT8";
  case Dtype::Int16:
    return "INT16";
  case Dtype::Int32:
    return "INT32";
  case Dtype::Int64:
    return "INT64";
  case Dtype::Uint16:
    return "UINT16";
  case Dtype::Uint32:
    return "UINT32";
  case Dtype::Uint64:
    return "UINT64";
  case Dtype::Fp16:
    return "FP16";
  case Dtype::Bf16:
    return "BF16";
  case Dtype::Fp32:
    return "FP32";
  case Dtype::Fp64:
    return "FP64";
  default:
    return "UINT8";
  }
}

namespace {
/// What of a request does not fit, for its sender.
struct Misfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The bytes behind a request's JSON, which inputs take one after another.
class BinaryPart {
public:
  explicit BinaryPart(std::string_view bytes) : m_rest(bytes) {}

  std::string take(uint64_t bytes) {
    if (bytes > m_rest.size())
      throw Misfit("the request has " + std::to_string(m_rest.size()) +
                   " bytes left behind its JSON, and an input says " + std::to_string(bytes));
    std::string taken(m_rest.substr(0, bytes));
    m_rest.remove_prefix(bytes);
    return taken;
  }
  size_t left() const { return m_rest.size(); }

private:
  std::string_view m_rest;
};

/// Writes the numbers of lists within lists, one after another.
class ElementWriter {
public:
  ElementWriter(const ServedTensor &tensor) : m_tensor(tensor), m_bytes(tensor.bytes(), '\0') {}

  void write(const json &value) {
    if (value.is_array()) {
      for (const json &each : value)
        write(each);
      return;
    }
    const size_t size = dtypeSize(m_tensor.dtype);
    if (m_at + size > m_bytes.size())
      throw Misfit("`" + m_tensor.name + "` has more elements than its shape");
    writeOne(value, reinterpret_cast<std::byte *>(m_bytes.data() + m_at));
    m_at += size;
  }
  std::string finish() {
    if (m_at != m_bytes.size())
      throw Misfit("`" + m_tensor.name + "` has " +
                   std::to_string(m_at / dtypeSize(m_tensor.dtype)) + " elements, and its shape " +
                   std::to_string(numElements(m_tensor.shape)));
    return std::move(m_bytes);
  }

private:
  void writeOne(const json &value, std::byte *target) const;
  [[noreturn]] void refuse(const json &value) const {
    throw Misfit("`" + m_tensor.name + "` is " + std::string(datatypeName(m_tensor.dtype)) +
                 ", which cannot hold `" +
                 value.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 40) + "`");
  }

  const ServedTensor &m_tensor;
  std::string m_bytes;
  size_t m_at = 0;
};
} // namespace

void ElementWriter::writeOne(const json &value, std::byte *target) const {
  const Dtype dtype = m_tensor.dtype;
  if (isFloat(dtype)) {
    if (!value.is_number())
      refuse(value);
    const double number = value.get<double>();
    writeElement(dtype, number, target);
    // 1e60 has no place in 32 bits.
    if (!std::isfinite(readElement(dtype, target)))
      refuse(value);
    return;
  }
  if (dtype == Dtype::Int1 && value.is_boolean()) {
    writeInteger(dtype, value.get<bool>(), target);
    return;
  }
  if (!value.is_number_integer())
    refuse(value);
  const bool isLarge = value.is_number_unsigned() && !std::in_range<int64_t>(value.get<uint64_t>());
  if (isLarge && dtype != Dtype::Uint64)
    refuse(value);
  const auto number = isLarge ? static_cast<int64_t>(value.get<uint64_t>()) : value.get<int64_t>();
  writeInteger(dtype, number, target);
  if (readInteger(dtype, target) != number || (!isLarge && number < 0 && !isSigned(dtype)))
    refuse(value);
}

static std::string shapeText(const std::vector<int64_t> &shape) { return json(shape).dump(); }

template <typename Tensors>
static size_t numberOf(const Tensors &tensors, const std::string &name) {
  const auto found = std::ranges::find(tensors, name, &ServedTensor::name);
  return static_cast<size_t>(found - tensors.begin());
}

static const json &parametersOf(const json &object) {
  static const json none = json::object();
  const auto found = object.find("parameters");
  if (found == object.end())
    return none;
  if (!found->is_object())
    throw Misfit("`parameters` is not an object");
  return *found;
}

static const json &inputListOf(const json &request) {
  const json &inputs = request.at("inputs");
  if (!inputs.is_array())
    throw Misfit("`inputs` is not a list");
  return inputs;
}

/// `x [8,16] and k [8]`
static std::string shapesText(const std::vector<ServedTensor> &tensors) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i)
    text += (i == 0                   ? "`"
             : i + 1 < tensors.size() ? ", `"
                                      : " and `") +
            tensors[i].name + "` " + shapeText(tensors[i].shape);
  return text;
}

/// The set with the shapes of those inputs that the model has.
static size_t setFor(const json &request, const ServedModel &model) {
  // What does not fit the only one is told input by input.
  if (model.sets.size() == 1)
    return 0;
  std::vector<ServedTensor> asked;
  for (const json &input : inputListOf(request))
    asked.push_back({jsonAs<std::string>(input.at("name")), Dtype::Uint8,
                     jsonAs<std::vector<int64_t>>(input.at("shape"))});
  std::erase_if(asked, [&](const ServedTensor &each) {
    return numberOf(model.sets.front().inputs, each.name) == model.sets.front().inputs.size();
  });
  std::string known;
  for (size_t number = 0; number < model.sets.size(); ++number) {
    const std::vector<ServedTensor> &inputs = model.sets[number].inputs;
    if (std::ranges::all_of(asked, [&](const ServedTensor &each) {
          return inputs[numberOf(inputs, each.name)].shape == each.shape;
        }))
      return number;
    known += (number ? "; " : "") + shapesText(inputs);
  }
  throw Misfit("the request is for " + shapesText(asked).substr(0, 400) +
               ", and the model is served for " + known);
}

static std::string inputFrom(const json &input, const ServedTensor &tensor, BinaryPart &binary) {
  const auto datatype = jsonAs<std::string>(input.at("datatype"));
  if (datatype != datatypeName(tensor.dtype))
    throw Misfit("`" + tensor.name + "` is " + std::string(datatypeName(tensor.dtype)) +
                 ", and the request says `" + datatype.substr(0, 40) + "`");
  const auto shape = jsonAs<std::vector<int64_t>>(input.at("shape"));
  if (shape != tensor.shape)
    throw Misfit("`" + tensor.name + "` has the shape " + shapeText(tensor.shape) +
                 ", and the request says " + shapeText(shape).substr(0, 80) +
                 ": the model is served for one shape");
  const json &parameters = parametersOf(input);
  if (parameters.contains("binary_data_size")) {
    const auto bytes = jsonAs<uint64_t>(parameters.at("binary_data_size"));
    if (bytes != tensor.bytes())
      throw Misfit("`" + tensor.name + "` takes " + std::to_string(tensor.bytes()) +
                   " bytes, and the request says " + std::to_string(bytes));
    return binary.take(bytes);
  }
  if (parameters.contains("shared_memory_region"))
    throw Misfit("shared memory is not supported");
  ElementWriter writer(tensor);
  writer.write(input.at("data"));
  return writer.finish();
}

static std::vector<std::string> inputsFrom(const json &request, const ServedSet &model,
                                           BinaryPart &binary) {
  std::vector<std::optional<std::string>> found(model.inputs.size());
  for (const json &input : inputListOf(request)) {
    const auto name = jsonAs<std::string>(input.at("name"));
    const size_t number = numberOf(model.inputs, name);
    if (number == model.inputs.size())
      throw Misfit("the model has no input `" + name.substr(0, 80) + "`");
    if (found[number])
      throw Misfit("input `" + name + "` is there twice");
    found[number] = inputFrom(input, model.inputs[number], binary);
  }
  std::vector<std::string> all;
  for (size_t number = 0; number < found.size(); ++number) {
    if (!found[number])
      throw Misfit("input `" + model.inputs[number].name + "` is missing");
    all.push_back(std::move(*found[number]));
  }
  if (binary.left() > 0)
    throw Misfit("the request has " + std::to_string(binary.left()) +
                 " bytes behind its JSON that no input takes");
  return all;
}

static std::vector<InferenceRequest::Output> outputsFrom(const json &request,
                                                         const ServedSet &model) {
  const bool isBinary = jsonOr(parametersOf(request), "binary_data_output", false);
  std::vector<InferenceRequest::Output> outputs;
  if (!request.contains("outputs") || request.at("outputs").empty()) {
    for (size_t number = 0; number < model.outputs.size(); ++number)
      outputs.push_back({number, isBinary});
    return outputs;
  }
  if (!request.at("outputs").is_array())
    throw Misfit("`outputs` is not a list");
  for (const json &output : request.at("outputs")) {
    const auto name = jsonAs<std::string>(output.at("name"));
    const size_t number = numberOf(model.outputs, name);
    if (number == model.outputs.size())
      throw Misfit("the model has no output `" + name.substr(0, 80) + "`");
    if (std::ranges::find(outputs, number, &InferenceRequest::Output::number) != outputs.end())
      throw Misfit("output `" + name + "` is asked for twice");
    const json &parameters = parametersOf(output);
    if (jsonOr(parameters, "classification", int64_t(0)) != 0)
      throw Misfit("classification is not supported");
    if (parameters.contains("shared_memory_region"))
      throw Misfit("shared memory is not supported");
    outputs.push_back({number, jsonOr(parameters, "binary_data", isBinary)});
  }
  return outputs;
}

Result<InferenceRequest> parseInferenceRequest(std::string_view body,
                                               std::optional<uint64_t> jsonBytes,
                                               const ServedModel &model) {
  const auto refuse = [](const std::string &why) {
    return Error{ErrorCode::InvalidInput, why, ""};
  };
  if (jsonBytes && *jsonBytes > body.size())
    return refuse("the JSON would end behind the request");
  const uint64_t length = jsonBytes.value_or(body.size());
  const Result<json> parsed = parseJson(body.substr(0, length), {.maxBytes = body.size() + 1});
  if (!parsed)
    return refuse("the request is not JSON: " + parsed.error().message);
  try {
    if (!parsed->is_object())
      throw Misfit("the request is not an object");
    BinaryPart binary(body.substr(length));
    InferenceRequest request;
    request.id = jsonOr(*parsed, "id", std::string());
    request.inference.set = setFor(*parsed, model);
    const ServedSet &set = model.sets[request.inference.set];
    request.inference.inputs = inputsFrom(*parsed, set, binary);
    request.outputs = outputsFrom(*parsed, set);
    return request;
  } catch (const std::exception &failure) {
    return refuse(failure.what());
  }
}

/// Numbers that are not finite have no place in JSON, and are `null`.
static json elementsJson(const ServedTensor &tensor, const std::string &bytes) {
  json list = json::array();
  const size_t size = dtypeSize(tensor.dtype);
  for (size_t at = 0; at < bytes.size(); at += size) {
    const auto *element = reinterpret_cast<const std::byte *>(bytes.data() + at);
    if (isFloat(tensor.dtype))
      list.push_back(readElement(tensor.dtype, element));
    else if (tensor.dtype == Dtype::Int1)
      list.push_back(readInteger(tensor.dtype, element) != 0);
    else if (tensor.dtype == Dtype::Uint64)
      list.push_back(static_cast<uint64_t>(readInteger(tensor.dtype, element)));
    else
      list.push_back(readInteger(tensor.dtype, element));
  }
  return list;
}

InferenceAnswer inferenceAnswer(const ServedModel &model, const InferenceRequest &request,
                                const std::vector<std::string> &outputs) {
  json list = json::array();
  std::string binary;
  bool isBinary = false;
  for (const InferenceRequest::Output &output : request.outputs) {
    const ServedTensor &tensor = model.sets[request.inference.set].outputs[output.number];
    const std::string &bytes = outputs[output.number];
    json object = {
        {"name", tensor.name}, {"datatype", datatypeName(tensor.dtype)}, {"shape", tensor.shape}};
    if (output.isBinary) {
      object["parameters"] = {{"binary_data_size", bytes.size()}};
      binary += bytes;
      isBinary = true;
    } else {
      object["data"] = elementsJson(tensor, bytes);
    }
    list.push_back(std::move(object));
  }
  json answer = {
      {"model_name", model.name}, {"model_version", kServedVersion}, {"outputs", std::move(list)}};
  if (!request.id.empty())
    answer["id"] = request.id;
  InferenceAnswer result{answer.dump(-1, ' ', false, json::error_handler_t::replace), {}};
  if (isBinary)
    result.jsonBytes = result.body.size();
  result.body += binary;
  return result;
}

static json tensorsJson(const std::vector<ServedTensor> &tensors) {
  json list = json::array();
  for (const ServedTensor &tensor : tensors)
    list.push_back(
        {{"name", tensor.name}, {"datatype", datatypeName(tensor.dtype)}, {"shape", tensor.shape}});
  return list;
}

static std::vector<ServedTensor> common(const ServedModel &model,
                                        std::vector<ServedTensor> ServedSet::*tensors) {
  std::vector<ServedTensor> all = model.sets.front().*tensors;
  for (const ServedSet &set : model.sets)
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t axis = 0; axis < all[i].shape.size(); ++axis)
        if ((set.*tensors)[i].shape[axis] != all[i].shape[axis])
          all[i].shape[axis] = -1;
  return all;
}

std::vector<ServedTensor> commonInputs(const ServedModel &model) {
  return common(model, &ServedSet::inputs);
}

std::vector<ServedTensor> commonOutputs(const ServedModel &model) {
  return common(model, &ServedSet::outputs);
}

json modelMetadata(const ServedModel &model) {
  return {{"name", model.name},
          {"versions", {kServedVersion}},
          {"platform", "tilescope"},
          {"inputs", tensorsJson(commonInputs(model))},
          {"outputs", tensorsJson(commonOutputs(model))}};
}

} // namespace tilescope::profiler
