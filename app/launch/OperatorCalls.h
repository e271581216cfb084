// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of NumPy and PyTorch that expressions write as operators:
//
//     np.add(x, y)                        x + y
//     torch.mul(np.subtract(x, y), 2)     (x - y) * 2
#pragma once

#include <string>
#include <string_view>

namespace tilescope::app {

/// The operator that such a function is, by its name with or without a module; empty: it is none.
std::string_view operatorOf(std::string_view function);

/// `expected` with operators in place of such calls. Empty where that changes nothing.
std::string withOperators(const std::string &expected);

} // namespace tilescope::app
