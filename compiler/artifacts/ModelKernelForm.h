// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilescope::compiler {

/// What decides how a kernel of a model works.
enum class ModelKernelForm : uint8_t {
  /// An element for each place of the result.
  Elements,
  Convolution,
  Product,
  /// Reductions of rows other than softmax.
  Rows,
  Softmax,
  Pooling,
  Resize,
  Gathering,
  Attention,
};

/// In their order.
inline constexpr auto kModelKernelForms =
    std::to_array<std::string_view>({"elements", "convolution", "product", "rows", "softmax",
                                     "pooling", "resize", "gathering", "attention"});

constexpr std::string_view modelKernelFormName(ModelKernelForm form) {
  return kModelKernelForms[static_cast<size_t>(form)];
}

static_assert(modelKernelFormName(ModelKernelForm::Attention) == "attention" &&
              kModelKernelForms.back() == "attention");

} // namespace tilescope::compiler
