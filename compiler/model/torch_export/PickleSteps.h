// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::model {

/// A value that a pickle describes. Values name others by their position in `Pickle::values`, so that
/// one that is used many times is there once.
struct PickleValue {
  enum class Kind : uint8_t {
    None,
    /// Truth values, too.
    Number,
    Text,
    /// `text` is its module and name: `torch._utils _rebuild_tensor_v2`.
    Global,
    /// Tuples and lists.
    List,
    /// `items` are keys and values in turn.
    Dictionary,
    /// `items` are the function and its arguments; it is not called.
    Call,
    /// `items` has what says which part of the file it is.
    Outside,
    /// What nothing is made of.
    Other,
  };
  Kind kind = Kind::None;
  int64_t number = 0;
  std::string text;
  std::vector<uint32_t> items;
};

struct Pickle {
  std::vector<PickleValue> values;
  uint32_t top = 0;

  const PickleValue &at(uint32_t index) const { return values[index]; }
};

/// Follows the steps of a pickle without calling anything. The error names the byte of a step that is
/// not among those that tensors need.
Result<Pickle> followPickle(std::string_view bytes);

} // namespace tilescope::model
