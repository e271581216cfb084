// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// The tints of a text's lines, by which lines of other stages are found again: neighbors differ,
/// and a line keeps its own while others come and go.
///
///     0 x = load()       0 x = load()
///     1 y = x * 2   →    2 z = load()     the new line alone gets another one
///     2 store(y)         1 y = x * 2
///                        2 store(y)
///
/// A value: copies share what they hold.
class LineTints {
public:
  /// As many as `Theme::tint` tells apart.
  static constexpr int32_t kNumTints = 12;

  /// Takes the text that follows the one before.
  void follow(std::string_view text);
  /// -1 for a line that there is not.
  int32_t of(int32_t line) const;
  std::vector<int32_t> of(std::vector<int32_t> lines) const;

private:
  struct Lines {
    /// Of what each line says.
    std::vector<size_t> hashes;
    std::vector<int32_t> tints;
  };
  std::shared_ptr<const Lines> m_lines = std::make_shared<Lines>();
};

} // namespace tilescope::views
