// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `model.json` of a file of `torch.export.save` says, as far as it is read: PyTorch's
// `torch/_export/serde/schema.py` describes all of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::model {

/// A whole number, or the name or expression of one that only the model's inputs tell.
struct ExportedSize {
  int64_t value = 0;
  /// Empty: it is `value`.
  std::string symbol;
};

/// A tensor without its elements.
struct ExportedTensor {
  /// A number of PyTorch's `ScalarType`.
  int64_t elementType = 0;
  std::vector<ExportedSize> extents;
  std::vector<ExportedSize> strides;
  ExportedSize storageOffset;
};

struct ExportedArgument {
  enum class Kind : uint8_t {
    None,
    /// `text` is its name.
    Tensor,
    /// `texts` are their names; one that is left out is empty.
    Tensors,
    /// `sizes`: one, or any number of them. Truth values are 0 and 1.
    Size,
    Sizes,
    /// `reals`
    Real,
    Reals,
    /// `text`
    String,
    /// One of `sizes` is the number of PyTorch's `ScalarType`.
    ElementType,
    /// `text` says what it is.
    Other,
  };
  Kind kind = Kind::None;
  std::string text;
  std::vector<std::string> texts;
  std::vector<ExportedSize> sizes;
  std::vector<double> reals;
};

struct ExportedOperand {
  /// As the operator's schema has it.
  std::string name;
  ExportedArgument value;
};

struct ExportedNode {
  /// The node's, or its first output's.
  std::string name;
  /// `torch.ops.aten.conv2d.default`
  std::string target;
  std::vector<ExportedOperand> operands;
  std::vector<ExportedArgument> outputs;
};

struct ExportedInput {
  enum class Kind : uint8_t { User, Weight, Constant, Other };
  Kind kind = Kind::Other;
  /// What nodes call it; empty for numbers that were fixed when the model was exported.
  std::string name;
  /// Of a weight or a constant.
  std::string weight;
  /// Of another kind: the schema's word.
  std::string what;
};

struct ExportedOutput {
  /// Else a new value of a weight or of an input.
  bool isResult = true;
  std::string name;
  /// The schema's word for the kind.
  std::string what;
};

/// What a symbolic extent may be, where it has bounds.
struct ExportedRange {
  std::optional<int64_t> least, most;
};

struct ExportedProgram {
  int64_t schemaMajor = 0, schemaMinor = 0;
  std::string torchVersion;
  int64_t atenVersion = 0;
  std::vector<ExportedInput> inputs;
  std::vector<ExportedOutput> outputs;
  std::vector<ExportedNode> nodes;
  std::map<std::string, ExportedTensor, std::less<>> tensors;
  /// By symbol.
  std::map<std::string, ExportedRange, std::less<>> ranges;
};

/// A weight in an archive.
struct StoredWeight {
  ExportedTensor tensor;
  /// Of its elements, in the archive.
  std::string file;
  /// The file is one of `torch.save`, not the elements alone.
  bool isPickled = false;
  /// Where the elements of its storage are, from the begin of the model's file.
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

} // namespace tilescope::model
