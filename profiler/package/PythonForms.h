// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a launch block says where someone has written what a script would:
//
//     (n, 4)                             ["n", 4]
//     torch.randn(n, dtype=torch.half)   { dtype = "fp16", shape = ["n"], init = "randn" }
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// The items between the commas of a text, of which brackets and quotes hide some; one comma may be
/// last.
std::vector<std::string_view> itemsOf(std::string_view text);

/// The items of a tuple or list; none: it is neither. `(n)` is a number in brackets.
std::vector<std::string_view> sequenceItems(std::string_view text);

/// Items of TOML, with commas between: numbers as they are, and expressions in quotes.
std::string tomlItems(const std::vector<std::string_view> &items);

/// The table that stands for a call of NumPy, PyTorch or their like that makes an array; empty: it is
/// no such call.
std::string describedArray(std::string_view call);

} // namespace tilescope::profiler
