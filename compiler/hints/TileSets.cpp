// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/TileSets.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilescope::compiler {

using Tile = ProgramFacts::Tile;

uint64_t differentBytes(const std::vector<ProgramFacts> &programs,
                        std::span<const uint64_t> numbers) {
  // Of a tile that programs walk through for different lengths, the longest counts.
  std::map<std::pair<uint32_t, int64_t>, uint64_t> tiles;
  for (const uint64_t number : numbers)
    for (const Tile &tile : programs[number].tiles) {
      uint64_t &bytes = tiles[{tile.load, tile.address}];
      bytes = std::max(bytes, tile.bytes);
    }
  uint64_t sum = 0;
  for (const auto &[tile, bytes] : tiles)
    sum += bytes;
  return sum;
}

static bool isShared(const ProgramFacts &program, const Tile &tile) {
  return std::ranges::any_of(program.tiles, [&](const Tile &other) {
    return other.load == tile.load && other.address == tile.address;
  });
}

std::optional<uint64_t> rowLength(const std::vector<ProgramFacts> &programs) {
  if (programs.size() < 2)
    return std::nullopt;
  std::vector<Tile> apart;
  for (const Tile &tile : programs[0].tiles)
    if (!isShared(programs[1], tile))
      apart.push_back(tile);
  if (apart.empty() || apart.size() == programs[0].tiles.size())
    return std::nullopt;
  for (uint64_t number = 2; number < programs.size(); ++number)
    if (std::ranges::all_of(apart,
                            [&](const Tile &tile) { return isShared(programs[number], tile); }))
      return number;
  return std::nullopt;
}

std::optional<TileRectangle> bestRectangle(const std::vector<ProgramFacts> &programs,
                                           uint64_t rowLength, uint64_t atOnce) {
  std::optional<TileRectangle> best;
  const uint64_t mostRows = programs.size() / rowLength;
  for (uint64_t rows = 1; rows <= std::min(mostRows, atOnce); rows *= 2) {
    const uint64_t columns = std::min(rowLength, atOnce / rows);
    if (10 * rows * columns < 9 * atOnce)
      continue;
    std::vector<uint64_t> numbers;
    for (uint64_t row = 0; row < rows; ++row)
      for (uint64_t column = 0; column < columns; ++column)
        numbers.push_back(row * rowLength + column);
    const uint64_t bytes = differentBytes(programs, numbers);
    if (!best || bytes < best->bytes)
      best = TileRectangle{rows, columns, bytes};
  }
  return best;
}

} // namespace tilescope::compiler
