// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ProgramJson.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace tilescope::model {

using nlohmann::json;
using Kind = ExportedArgument::Kind;

/// The schema needs a dozen levels.
static constexpr int kMostLevels = 64;

static const json kNothing;

/// Null where the object has no such member.
static const json &member(const json &object, const char *name) {
  if (!object.is_object())
    return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

/// How deep objects and lists lie in each other, at most.
static int levelsOf(std::string_view text) {
  int level = 0, most = 0;
  bool isInText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isInText && c == '\\')
      ++i;
    else if (c == '"')
      isInText = !isInText;
    else if (!isInText && (c == '{' || c == '['))
      most = std::max(most, ++level);
    else if (!isInText && (c == '}' || c == ']'))
      --level;
  }
  return most;
}

static Result<json> parsed(std::string_view text) {
  // A function that is asked about each value would make the library look at all its neighbors.
  if (levelsOf(text) > kMostLevels)
    return Error{ErrorCode::InvalidInput,
                 "it nests more than " + std::to_string(kMostLevels) + " levels", ""};
  json document = json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return Error{ErrorCode::InvalidInput, "it is not JSON, or ends too soon", ""};
  return document;
}

namespace {

/// Takes values out of a document; the first fault is kept.
class ProgramReader {
public:
  const std::string &fault() const { return m_fault; }

  ExportedProgram program(const json &document);
  std::map<std::string, StoredWeight> weights(const json &document);

private:
  void expected(const std::string &what) {
    if (m_fault.empty())
      m_fault = m_place + ": " + what + " is missing or of another type";
  }

  std::string string(const json &value, const char *what);
  int64_t integer(const json &value, const char *what);
  double real(const json &value);
  const json &array(const json &value, const char *what);
  ExportedSize size(const json &value);
  ExportedTensor tensor(const json &value);
  ExportedArgument list(const std::string &kind, const json &value);
  ExportedArgument argument(const json &value);
  ExportedInput input(const json &spec);
  ExportedOutput output(const json &spec);
  ExportedNode node(const json &value);

  std::string m_place = "the program";
  std::string m_fault;
};

} // namespace

std::string ProgramReader::string(const json &value, const char *what) {
  if (!value.is_string())
    return expected(what), "";
  return value.get<std::string>();
}

int64_t ProgramReader::integer(const json &value, const char *what) {
  const bool isTooLarge = value.is_number_unsigned() &&
                          value.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max());
  if (!value.is_number_integer() || isTooLarge)
    return expected(what), 0;
  return value.get<int64_t>();
}

/// What JSON has no number for is a text.
double ProgramReader::real(const json &value) {
  if (value.is_number())
    return value.get<double>();
  if (value == "Infinity" || value == "inf")
    return std::numeric_limits<double>::infinity();
  if (value == "-Infinity" || value == "-inf")
    return -std::numeric_limits<double>::infinity();
  if (value != "NaN" && value != "nan")
    expected("a number");
  return std::numeric_limits<double>::quiet_NaN();
}

const json &ProgramReader::array(const json &value, const char *what) {
  static const json kNone = json::array();
  if (!value.is_array())
    return expected(what), kNone;
  return value;
}

/// `{"as_int": 3}`, `{"as_name": "sym_size"}` of an argument, `{"as_expr": {"expr_str": …}}` of an extent.
ExportedSize ProgramReader::size(const json &value) {
  if (value.is_number() || value.is_boolean())
    return {value.is_boolean() ? int64_t(value.get<bool>()) : integer(value, "a number"), ""};
  if (const json &number = member(value, "as_int"); !number.is_null())
    return {integer(number, "a number"), ""};
  if (const json &truth = member(value, "as_bool"); truth.is_boolean())
    return {int64_t(truth.get<bool>()), ""};
  if (const json &name = member(value, "as_name"); !name.is_null())
    return {0, string(name, "the name of a size")};
  return {0, string(member(member(value, "as_expr"), "expr_str"), "an extent")};
}

ExportedTensor ProgramReader::tensor(const json &value) {
  ExportedTensor result;
  result.elementType = integer(member(value, "dtype"), "`dtype`");
  for (const json &extent : array(member(value, "sizes"), "`sizes`"))
    result.extents.push_back(size(extent));
  for (const json &stride : array(member(value, "strides"), "`strides`"))
    result.strides.push_back(size(stride));
  if (const json &offset = member(value, "storage_offset"); !offset.is_null())
    result.storageOffset = size(offset);
  return result;
}

ExportedArgument ProgramReader::list(const std::string &kind, const json &value) {
  ExportedArgument result;
  const bool isOfTensors = kind == "as_tensors" || kind == "as_optional_tensors";
  result.kind = isOfTensors ? Kind::Tensors : kind == "as_floats" ? Kind::Reals : Kind::Sizes;
  for (const json &each : array(value, kind.c_str())) {
    const json &tensor = member(each, "as_tensor");
    if (!isOfTensors && result.kind == Kind::Reals)
      result.reals.push_back(real(each));
    else if (!isOfTensors)
      result.sizes.push_back(size(each));
    else if (kind == "as_optional_tensors" && tensor.is_null())
      result.texts.emplace_back();
    else
      result.texts.push_back(
          string(member(kind == "as_tensors" ? each : tensor, "name"), "a tensor's name"));
  }
  return result;
}

/// An object whose only member says what the argument is.
ExportedArgument ProgramReader::argument(const json &value) {
  if (!value.is_object() || value.empty())
    return expected("an argument"), ExportedArgument();
  const std::string kind = value.begin().key();
  const json &content = value.begin().value();
  if (kind == "as_none")
    return {};
  if (kind == "as_tensor")
    return {Kind::Tensor, string(member(content, "name"), "a tensor's name"), {}, {}, {}};
  if (kind == "as_optional_tensor")
    return member(content, "as_tensor").is_null()
               ? ExportedArgument()
               : argument({{"as_tensor", member(content, "as_tensor")}});
  if (kind == "as_tensors" || kind == "as_optional_tensors" || kind == "as_ints" ||
      kind == "as_floats" || kind == "as_sym_ints" || kind == "as_bools")
    return list(kind, content);
  if (kind == "as_int" || kind == "as_bool" || kind == "as_sym_int" || kind == "as_sym_bool")
    return {Kind::Size, "", {}, {size(content)}, {}};
  if (kind == "as_float")
    return {Kind::Real, "", {}, {}, {real(content)}};
  if (kind == "as_string")
    return {Kind::String, string(content, "a text"), {}, {}, {}};
  if (kind == "as_scalar_type")
    return {Kind::ElementType, "", {}, {{integer(content, "an element type"), ""}}, {}};
  return {Kind::Other, kind, {}, {}, {}};
}

ExportedInput ProgramReader::input(const json &spec) {
  ExportedInput result;
  if (!spec.is_object() || spec.empty())
    return expected("an input"), result;
  result.what = spec.begin().key();
  const json &content = spec.begin().value();
  if (result.what == "user_input") {
    const ExportedArgument read = argument(member(content, "arg"));
    if (read.kind == Kind::Tensor)
      result.name = read.text;
    const bool isFixed = read.kind != Kind::Other && read.kind != Kind::Size;
    const bool isNumber = read.kind == Kind::Size && read.sizes.front().symbol.empty();
    result.kind = isFixed || isNumber ? ExportedInput::Kind::User : ExportedInput::Kind::Other;
    return result;
  }
  if (result.what == "constant_input") {
    result.kind = ExportedInput::Kind::User;
    return result;
  }
  const bool isParameter = result.what == "parameter", isBuffer = result.what == "buffer";
  if (!isParameter && !isBuffer && result.what != "tensor_constant")
    return result;
  const json &persistent = member(content, "persistent");
  const bool isWeight = isParameter || (isBuffer && (!persistent.is_boolean() || persistent));
  result.kind = isWeight ? ExportedInput::Kind::Weight : ExportedInput::Kind::Constant;
  result.name = string(member(member(content, "arg"), "name"), "an input's name");
  result.weight = string(member(content, isParameter ? "parameter_name"
                                         : isBuffer  ? "buffer_name"
                                                     : "tensor_constant_name"),
                         "a weight's name");
  return result;
}

ExportedOutput ProgramReader::output(const json &spec) {
  ExportedOutput result;
  if (!spec.is_object() || spec.empty())
    return expected("an output"), result;
  result.what = spec.begin().key();
  const json &argument = member(spec.begin().value(), "arg");
  result.isResult = result.what == "user_output";
  const ExportedArgument read = result.isResult ? this->argument(argument) : ExportedArgument();
  if (result.isResult && read.kind == Kind::Tensor)
    result.name = read.text;
  return result;
}

ExportedNode ProgramReader::node(const json &value) {
  ExportedNode result;
  result.target = string(member(value, "target"), "a node's target");
  for (const json &output : array(member(value, "outputs"), "a node's outputs"))
    result.outputs.push_back(argument(output));
  if (const json &name = member(value, "name"); name.is_string())
    result.name = name.get<std::string>();
  for (const ExportedArgument &output : result.outputs)
    if (result.name.empty())
      result.name = !output.texts.empty()   ? output.texts.front()
                    : !output.sizes.empty() ? output.sizes.front().symbol
                                            : output.text;
  if (result.name.empty())
    result.name = result.target;
  m_place = "node `" + result.name + "`";
  for (const json &operand : array(member(value, "inputs"), "a node's inputs"))
    result.operands.push_back(
        {string(member(operand, "name"), "an argument's name"), argument(member(operand, "arg"))});
  return result;
}

/// Nothing where there is none: `null`, or in early files an infinity.
static std::optional<int64_t> bound(const json &range, const char *name) {
  const json &value = member(range, name);
  return value.is_number_integer() ? std::optional(value.get<int64_t>()) : std::nullopt;
}

ExportedProgram ProgramReader::program(const json &document) {
  ExportedProgram result;
  const json &version = member(document, "schema_version");
  // Early files have one number.
  result.schemaMajor = version.is_number() ? integer(version, "`schema_version`")
                                           : integer(member(version, "major"), "`schema_version`");
  if (const json &minor = member(version, "minor"); minor.is_number_integer())
    result.schemaMinor = minor.get<int64_t>();
  if (const json &torch = member(document, "torch_version"); torch.is_string())
    result.torchVersion = torch.get<std::string>();
  if (const json &aten = member(member(document, "opset_version"), "aten");
      aten.is_number_integer())
    result.atenVersion = aten.get<int64_t>();
  if (const json &ranges = member(document, "range_constraints"); ranges.is_object())
    for (const auto &[symbol, range] : ranges.items())
      result.ranges.emplace(symbol,
                            ExportedRange{bound(range, "min_val"), bound(range, "max_val")});
  const json &module = member(document, "graph_module");
  const json &graph = member(module, "graph"), &signature = member(module, "signature");
  m_place = "the inputs";
  for (const json &spec : array(member(signature, "input_specs"), "`input_specs`"))
    result.inputs.push_back(input(spec));
  m_place = "the outputs";
  for (const json &spec : array(member(signature, "output_specs"), "`output_specs`"))
    result.outputs.push_back(output(spec));
  m_place = "the graph";
  const json &tensors = member(graph, "tensor_values");
  if (!tensors.is_object())
    expected("`tensor_values`");
  for (const auto &[name, value] : tensors.items()) {
    m_place = "tensor `" + name + "`";
    result.tensors.emplace(name, tensor(value));
  }
  m_place = "the graph";
  for (const json &value : array(member(graph, "nodes"), "`nodes`"))
    result.nodes.push_back(node(value));
  return result;
}

std::map<std::string, StoredWeight> ProgramReader::weights(const json &document) {
  std::map<std::string, StoredWeight> result;
  const json &config = member(document, "config");
  if (!config.is_object())
    expected("`config`");
  for (const auto &[name, value] : config.items()) {
    m_place = "weight `" + name + "`";
    StoredWeight weight;
    weight.file = string(member(value, "path_name"), "`path_name`");
    const json &isPickled = member(value, "use_pickle"), &meta = member(value, "tensor_meta");
    // Objects of other kinds have no tensor; what uses them says so.
    if (meta.is_null())
      continue;
    weight.tensor = tensor(meta);
    weight.isPickled = isPickled.is_boolean() && isPickled.get<bool>();
    result.emplace(name, std::move(weight));
  }
  return result;
}

template <typename Value> static Result<Value> checked(Value value, const ProgramReader &reader) {
  if (reader.fault().empty())
    return value;
  return Error{ErrorCode::InvalidInput, reader.fault(), ""};
}

Result<ExportedProgram> programOf(std::string_view text) {
  const Result<json> document = parsed(text);
  if (!document)
    return document.error();
  ProgramReader reader;
  ExportedProgram program = reader.program(*document);
  return checked(std::move(program), reader);
}

Result<std::map<std::string, StoredWeight>> weightsOf(std::string_view text) {
  const Result<json> document = parsed(text);
  if (!document)
    return document.error();
  ProgramReader reader;
  auto weights = reader.weights(*document);
  return checked(std::move(weights), reader);
}

} // namespace tilescope::model
