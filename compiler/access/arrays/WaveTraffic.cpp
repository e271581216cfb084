// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/WaveTraffic.h"

namespace tilescope::compiler::access {

std::optional<WaveTraffic> waveTraffic(const TouchedArrays &arrays, const ProgramRange &programs,
                                       const std::stop_token &stop) {
  WaveTraffic traffic;
  traffic.programs = programs;
  for (size_t array = 0; array < arrays.numArrays(); ++array) {
    const auto bytes = static_cast<uint64_t>(arrays.shape(array).elementBytes);
    for (const TouchKind kind : {TouchKind::Read, TouchKind::Written}) {
      if (kind == TouchKind::Read ? !arrays.isRead(array) : !arrays.isWritten(array))
        continue;
      const auto counts = countTouches(arrays, array, programs, kind, stop);
      if (!counts || counts->sampledEvery() > 1)
        return std::nullopt;
      if (kind == TouchKind::Read) {
        traffic.bytesRead += counts->total() * bytes;
        traffic.bytesDifferent += counts->different() * bytes;
      } else {
        traffic.bytesWritten += counts->different() * bytes;
      }
    }
  }
  return traffic;
}

std::optional<WavesTraffic> wavesTraffic(const TouchedArrays &arrays, uint64_t atOnce,
                                         const std::stop_token &stop) {
  const Grid &grid = arrays.trace().grid;
  const ProgramRange all{0, numPrograms(grid)};
  if (!arrays.hasAll(all))
    return std::nullopt;
  WavesTraffic sum;
  sum.waves = numWaves(grid, atOnce);
  for (uint64_t wave = 0; wave < sum.waves; ++wave) {
    const auto traffic = waveTraffic(arrays, waveAt(wave, grid, atOnce), stop);
    if (!traffic)
      return std::nullopt;
    sum.bytesRead += traffic->bytesRead;
    sum.bytesDifferent += traffic->bytesDifferent;
  }
  const auto whole = waveTraffic(arrays, all, stop);
  if (!whole)
    return std::nullopt;
  sum.bytesLeast = whole->bytesDifferent;
  return sum;
}

} // namespace tilescope::compiler::access
