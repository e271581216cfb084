// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Open Inference Protocol, version 2, as Triton Inference Server's clients speak it: a request for an inference is JSON,
//
//     {"inputs": [{"name": "x", "shape": [2], "datatype": "FP32", "data": [1, 2]}]}
//
// and an input may have its elements as bytes behind the JSON instead (`"parameters": {"binary_data_size": 8}`), whose
// length a header then says. The answer has outputs in the same two forms.
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// An input or an output of a model that is served.
struct ServedTensor {
  std::string name;
  Dtype dtype = Dtype::Fp32;
  std::vector<int64_t> shape;

  size_t bytes() const { return static_cast<size_t>(numElements(shape)) * dtypeSize(dtype); }
};

/// Inputs and outputs of one set of shapes.
struct ServedSet {
  std::vector<ServedTensor> inputs, outputs;
};

struct ServedModel {
  /// As it stands in addresses.
  std::string name;
  /// One at least; all have the same names, types and ranks.
  std::vector<ServedSet> sets;
};

/// Its only version.
inline constexpr const char *kServedVersion = "1";

/// `FP32`; types that the protocol does not have are bytes, `UINT8`.
std::string_view datatypeName(Dtype dtype);

/// What a model is to compute.
struct Inference {
  /// The number of its set of shapes.
  size_t set = 0;
  /// The elements of each input, in the model's order.
  std::vector<std::string> inputs;
};

struct InferenceRequest {
  /// What the answer repeats; may be empty.
  std::string id;
  Inference inference;
  struct Output {
    size_t number = 0;
    bool isBinary = false;
  };
  std::vector<Output> outputs;
};

/// `jsonBytes`: where the bytes behind the JSON begin; absent: there are none. The error says what of the request does not
/// fit the model.
Result<InferenceRequest> parseInferenceRequest(std::string_view body,
                                               std::optional<uint64_t> jsonBytes,
                                               const ServedModel &model);

struct InferenceAnswer {
  std::string body;
  /// As for a request.
  std::optional<size_t> jsonBytes;
};

/// `outputs`: the elements of all outputs of the model, in its order.
InferenceAnswer inferenceAnswer(const ServedModel &model, const InferenceRequest &request,
                                const std::vector<std::string> &outputs);

nlohmann::json modelMetadata(const ServedModel &model);

/// With -1 for extents in which the sets differ, as the protocol has it.
std::vector<ServedTensor> commonInputs(const ServedModel &model);
std::vector<ServedTensor> commonOutputs(const ServedModel &model);

} // namespace tilescope::profiler
