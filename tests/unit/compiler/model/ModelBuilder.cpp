// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/model/ModelBuilder.h"

#include "compiler/model/CheckModel.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace tilescope::model {

namespace fs = std::filesystem;

static fs::path temporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "tilescope-model-XXXXXX").string();
  return mkdtemp(pattern.data());
}

ModelBuilder::ModelBuilder(int64_t version) : m_folder(temporaryFolder()) {
  m_model.set_ir_version(8);
  m_model.add_opset_import()->set_version(version);
  m_model.mutable_graph()->set_name("g");
}

ModelBuilder::~ModelBuilder() {
  std::error_code fault;
  fs::remove_all(m_folder, fault);
}

void ModelBuilder::input(const std::string &name, const std::vector<std::string> &extents,
                         int type) {
  onnx::ValueInfoProto &input = *graph().add_input();
  input.set_name(name);
  onnx::TypeProto::Tensor &tensor = *input.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (const std::string &extent : extents) {
    const bool isNumber =
        std::ranges::all_of(extent, [](char c) { return std::isdigit(c) || c == '-'; });
    if (isNumber)
      tensor.mutable_shape()->add_dim()->set_dim_value(std::stoll(extent));
    else
      tensor.mutable_shape()->add_dim()->set_dim_param(extent);
  }
}

void ModelBuilder::output(const std::string &name) { graph().add_output()->set_name(name); }

onnx::TensorProto &ModelBuilder::weight(const std::string &name,
                                        const std::vector<int64_t> &extents, int type) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  int64_t count = 1;
  for (const int64_t extent : extents) {
    tensor.add_dims(extent);
    count *= extent;
  }
  if (type == onnx::TensorProto::FLOAT)
    tensor.set_raw_data(std::string(static_cast<size_t>(count) * 4, '\0'));
  return tensor;
}

void ModelBuilder::numbers(const std::string &name, const std::vector<int64_t> &values) {
  onnx::TensorProto &tensor =
      weight(name, {static_cast<int64_t>(values.size())}, onnx::TensorProto::INT64);
  for (const int64_t value : values)
    tensor.add_int64_data(value);
}

onnx::NodeProto &ModelBuilder::node(const std::string &kind, const std::vector<std::string> &inputs,
                                    const std::vector<std::string> &outputs) {
  onnx::NodeProto &node = *graph().add_node();
  node.set_op_type(kind);
  node.set_name("the " + kind);
  for (const std::string &name : inputs)
    node.add_input(name);
  for (const std::string &name : outputs)
    node.add_output(name);
  return node;
}

static onnx::AttributeProto &add(onnx::NodeProto &node, const std::string &name,
                                 onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

void ModelBuilder::set(onnx::NodeProto &node, const std::string &attribute, int64_t value) {
  add(node, attribute, onnx::AttributeProto::INT).set_i(value);
}
void ModelBuilder::set(onnx::NodeProto &node, const std::string &attribute,
                       const std::vector<int64_t> &values) {
  onnx::AttributeProto &added = add(node, attribute, onnx::AttributeProto::INTS);
  for (const int64_t value : values)
    added.add_ints(value);
}
void ModelBuilder::set(onnx::NodeProto &node, const std::string &attribute,
                       const std::string &value) {
  add(node, attribute, onnx::AttributeProto::STRING).set_s(value);
}

void ModelBuilder::writeFile(const std::string &name, const std::string &bytes) const {
  std::ofstream(m_folder / name, std::ios::binary) << bytes;
}

compiler::ModelResult
ModelBuilder::check(const std::vector<std::pair<std::string, int64_t>> &extents) const {
  writeFile("m.onnx", m_model.SerializeAsString());
  return checkModel({(m_folder / "m.onnx").string(), extents, compiler::ModelText::Ir});
}

compiler::ModelResult
ModelBuilder::compile(const std::vector<compiler::FusionChoice> &fusions) const {
  writeFile("m.onnx", m_model.SerializeAsString());
  return checkModel({(m_folder / "m.onnx").string(),
                     {},
                     compiler::ModelText::Kernels,
                     compiler::ModelForm::Fused,
                     fusions});
}

std::string ModelBuilder::outcome() const {
  const compiler::ModelResult result = check();
  if (!result.ok)
    return result.diagnostics.empty() ? "no diagnostic" : result.diagnostics.front().message;
  std::string text = "[";
  for (const std::string &extent : result.outputs.front().extents)
    text += (text.size() > 1 ? ", " : "") + extent;
  return text + "]";
}

compiler::ModelResult checkBytes(const std::string &bytes) {
  const ModelBuilder folder;
  folder.writeFile("m.onnx", bytes);
  return checkModel({(folder.folder() / "m.onnx").string(), {}, compiler::ModelText::None});
}

} // namespace tilescope::model
