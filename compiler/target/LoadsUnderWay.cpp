// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/LoadsUnderWay.h"

#include "compiler/machine/SassControl.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tilescope::compiler {

using machine::InstructionWord;

namespace {
/// Loads by the scoreboard that marks their end.
class Scoreboards {
public:
  void execute(const InstructionWord &word) {
    const machine::SassControl control = machine::decodeControl(word);
    for (size_t board = 0; board < m_bytes.size(); ++board)
      if (control.waitMask >> board & 1)
        m_bytes[board] = 0;
    const uint64_t operation = word.low & 0xfff;
    constexpr uint64_t kLoad = 0x381, kLoadFromUniform = 0x981, kBranch = 0x947;
    const size_t board = control.writeBarrier;
    if (operation == kBranch) {
      endStretch();
    } else if ((operation == kLoad || operation == kLoadFromUniform) && board < m_bytes.size()) {
      constexpr std::array<int64_t, 8> kBytes = {1, 1, 2, 2, 4, 8, 16, 16};
      m_bytes[board] += kBytes[word.high >> (73 - 64) & 7];
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

std::vector<int64_t> loadedBytesUnderWay(std::string_view cubin) {
  Scoreboards boards;
  for (const machine::CodeSection &section : machine::codeSections(cubin)) {
    for (size_t index = 0; index < section.numInstructions(); ++index)
      boards.execute(section.word(index));
    boards.endStretch();
  }
  return boards.takeStretches();
}

} // namespace tilescope::compiler
