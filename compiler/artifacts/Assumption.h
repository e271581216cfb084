// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// One decision about a launch that nothing states.
struct Assumption {
  /// Who suggested it.
  enum class Source : uint8_t {
    /// The code of the kernel: uses and names of the parameter, its default.
    Kernel,
    /// The first `triton.Config` of `@triton.autotune`.
    Configuration,
    /// A launch in the file.
    Launch,
    /// A function that calls this one.
    Caller,
    /// The error that another value leads to.
    Error,
  };

  /// A parameter, or an option such as `num_warps`.
  std::string parameter;
  /// A type in Triton's notation, or a value.
  std::string text;
  /// `text` is a value of compile time.
  bool isConstant = false;
  Source source = Source::Kernel;
  /// Without a subject or full stop: "it is loaded from"; may be empty.
  std::string reason;
  bool operator==(const Assumption &) const = default;
};

/// "`x_ptr` is `*fp32:16`: it is loaded from".
std::string sentence(const Assumption &assumption);
std::vector<std::string> sentences(const std::vector<Assumption> &assumptions);

} // namespace tilescope::compiler
