// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <filesystem>
#include <string>
#include <vector>

#include "onnx.pb.h"

namespace tilescope::model {

/// A model of a test, and the folder that it is written to.
class ModelBuilder {
public:
  explicit ModelBuilder(int64_t version = 17);
  ~ModelBuilder();
  ModelBuilder(const ModelBuilder &) = delete;
  ModelBuilder &operator=(const ModelBuilder &) = delete;

  /// Extents are numbers or names.
  void input(const std::string &name, const std::vector<std::string> &extents,
             int type = onnx::TensorProto::FLOAT);
  void output(const std::string &name);
  onnx::TensorProto &weight(const std::string &name, const std::vector<int64_t> &extents,
                            int type = onnx::TensorProto::FLOAT);
  void numbers(const std::string &name, const std::vector<int64_t> &values);
  onnx::NodeProto &node(const std::string &kind, const std::vector<std::string> &inputs,
                        const std::vector<std::string> &outputs);
  static void set(onnx::NodeProto &node, const std::string &attribute, int64_t value);
  static void set(onnx::NodeProto &node, const std::string &attribute,
                  const std::vector<int64_t> &values);
  static void set(onnx::NodeProto &node, const std::string &attribute, const std::string &value);

  onnx::GraphProto &graph() { return *m_model.mutable_graph(); }
  onnx::ModelProto &model() { return m_model; }
  const std::filesystem::path &folder() const { return m_folder; }
  void writeFile(const std::string &name, const std::string &bytes) const;

  /// What is known of the model.
  compiler::ModelResult
  check(const std::vector<std::pair<std::string, int64_t>> &extents = {}) const;
  /// With its fused kernels.
  compiler::ModelResult compile(const std::vector<compiler::FusionChoice> &fusions = {}) const;
  /// The extents of the only output, as `[N, 3]`, or the first error.
  std::string outcome() const;

private:
  onnx::ModelProto m_model;
  std::filesystem::path m_folder;
};

/// What is known of a file with these bytes.
compiler::ModelResult checkBytes(const std::string &bytes);

} // namespace tilescope::model
