// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tilescope::compiler::inference {

/// Whether `word` is one of the words that underscores separate: `eps` is one of `eps`, `rms_eps`
/// and `eps_2`.
bool hasWord(std::string_view name, std::string_view word);

bool hasAnyWord(std::string_view name, std::initializer_list<std::string_view> words);

/// `x_ptr`, `bias_pointer`: the name says that it is an address.
bool isNamedPointer(std::string_view name);

/// `has_bias`, `valid`, `flag`: the name says that it is true or false.
bool soundsLikeSwitch(std::string_view name);

/// `name` with ASCII letters in lower case.
std::string lowered(std::string_view name);

} // namespace tilescope::compiler::inference
