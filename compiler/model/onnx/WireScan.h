// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::model {

/// Where the elements of a tensor lie in the file, as the format stores them: little-endian, rows
/// first.
struct DataSpan {
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// A model without the elements of its large tensors, so that reading it copies none of them.
struct ModelSkeleton {
  /// A serialized `ModelProto`. A tensor that lost its elements has, as its last external datum, the
  /// key `kSpanKey` with the position in `spans`.
  std::string bytes;
  std::vector<DataSpan> spans;
};
inline constexpr std::string_view kSpanKey = "tilescope.span";

/// Elements of no more bytes stay in the skeleton.
inline constexpr uint64_t kMostInlineBytes = 1024;

/// Follows the wire format of protobuf through graphs, nodes and attributes to tensors. The error
/// names the byte at which the file is damaged or ends too soon.
Result<ModelSkeleton> scanModel(std::string_view file);

} // namespace tilescope::model
