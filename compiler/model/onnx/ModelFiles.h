// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/MappedFile.h"
#include "compiler/model/onnx/WireScan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx.pb.h"

namespace tilescope::model {

/// The elements of a tensor, where they lie.
struct TensorBytes {
  std::string_view bytes;
  /// The file's name relative to the model's folder; empty: the model's own file, or, where
  /// `isInline`, its message.
  std::string file;
  uint64_t offset = 0;
  bool isInline = false;
};

/// A model's file and those beside it that hold its weights. Bytes stay valid as long as it lives.
class ModelFiles {
public:
  /// Reads the model, without its weights.
  static Result<ModelFiles> open(const std::filesystem::path &path, MappedFile file);

  const onnx::ModelProto &model() const { return m_model; }

  /// The elements of a tensor that stores them as bytes; `size` is what its type and extents take.
  /// The error says what is wrong with the place that the model gives.
  Result<TensorBytes> bytesOf(const onnx::TensorProto &tensor, uint64_t size);
  /// So many bytes of the model's file, or of one that `bytesOf` has found before.
  std::optional<std::string_view> bytesAt(const std::string &file, uint64_t offset,
                                          uint64_t size) const;
  /// Whether the elements are stored as bytes, not in the fields of the message for some types.
  static bool hasBytes(const onnx::TensorProto &tensor);

private:
  ModelFiles(std::filesystem::path path, MappedFile file);
  Result<TensorBytes> externalBytes(const onnx::TensorProto &tensor, uint64_t size);
  Result<const MappedFile *> externalFile(const std::string &location);

  std::filesystem::path m_path;
  MappedFile m_file;
  std::vector<DataSpan> m_spans;
  onnx::ModelProto m_model;
  std::map<std::string, MappedFile> m_external;
};

} // namespace tilescope::model
