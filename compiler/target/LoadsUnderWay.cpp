// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/LoadsUnderWay.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>

namespace tilescope::compiler {

/// An integer of the file at an offset; nothing behind its end.
template <typename Integer>
static std::optional<Integer> integerAt(std::string_view bytes, uint64_t offset) {
  if (bytes.size() < sizeof(Integer) || offset > bytes.size() - sizeof(Integer))
    return std::nullopt;
  Integer value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

namespace {
/// Loads by the scoreboard that marks their end.
class Scoreboards {
public:
  void execute(uint64_t low, uint64_t high) {
    for (size_t board = 0; board < m_bytes.size(); ++board)
      if (high >> (116 - 64 + board) & 1)
        m_bytes[board] = 0;
    const uint64_t operation = low & 0xfff;
    constexpr uint64_t kLoad = 0x381, kLoadFromUniform = 0x981, kBranch = 0x947;
    const size_t board = high >> (110 - 64) & 7;
    if (operation == kBranch) {
      endStretch();
    } else if ((operation == kLoad || operation == kLoadFromUniform) && board < m_bytes.size()) {
      constexpr std::array<int64_t, 8> kBytes = {1, 1, 2, 2, 4, 8, 16, 16};
      m_bytes[board] += kBytes[high >> (73 - 64) & 7];
      m_most = std::max(m_most, std::accumulate(m_bytes.begin(), m_bytes.end(), int64_t(0)));
    }
  }

  void endStretch() {
    if (m_most > 0)
      m_stretches.push_back(m_most);
    m_most = 0;
  }

  std::vector<int64_t> takeStretches() { return std::move(m_stretches); }

private:
  std::array<int64_t, 6> m_bytes{};
  int64_t m_most = 0;
  std::vector<int64_t> m_stretches;
};
} // namespace

// Source: System V ABI, "ELF Header" and "Section Header", 64 bits.
std::vector<int64_t> loadedBytesUnderWay(std::string_view cubin) {
  const auto headers = integerAt<uint64_t>(cubin, 40);
  const auto entrySize = integerAt<uint16_t>(cubin, 58), count = integerAt<uint16_t>(cubin, 60);
  if (!cubin.starts_with("\177ELF") || !headers || !entrySize || !count)
    return {};
  Scoreboards boards;
  for (uint64_t index = 0; index < *count; ++index) {
    const uint64_t header = *headers + index * *entrySize;
    const auto type = integerAt<uint32_t>(cubin, header + 4);
    const auto flags = integerAt<uint64_t>(cubin, header + 8);
    const auto offset = integerAt<uint64_t>(cubin, header + 24);
    const auto size = integerAt<uint64_t>(cubin, header + 32);
    constexpr uint32_t kProgramBits = 1;
    constexpr uint64_t kExecutable = 4;
    if (!type || !flags || !offset || !size || *type != kProgramBits || !(*flags & kExecutable) ||
        *offset > cubin.size() || *size > cubin.size() - *offset)
      continue;
    constexpr uint64_t kInstruction = 16;
    for (uint64_t at = 0; at + kInstruction <= *size; at += kInstruction)
      boards.execute(*integerAt<uint64_t>(cubin, *offset + at),
                     *integerAt<uint64_t>(cubin, *offset + at + 8));
    boards.endStretch();
  }
  return boards.takeStretches();
}

} // namespace tilescope::compiler
