// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/AttentionLoop.h"

namespace tilescope::model {

/// `,\n mask=… & …, other=0.0`; empty: nothing is bound.
static std::string boundsText(const std::string &one, const std::string &other) {
  if (one.empty() && other.empty())
    return "";
  return ",\n                    mask=" + one + (one.empty() || other.empty() ? "" : " & ") +
         other + ", other=0.0";
}

/// `share` and `fade`: what the scores of a piece weigh, and what is left of the weights before it. Nothing of a row may
/// be seen so far where a mask hides it.
std::string AttentionLoop::powers() const {
  const std::string base = mask.lines.empty() ? "larger" : "base";
  const std::string guard =
      mask.lines.empty() ? "" : "        base = tl.where(larger == float(\"-inf\"), 0.0, larger)\n";
  if (!isOfTwo)
    return guard + "        share = tl.exp(score - " + base +
           "[:, None])\n"
           "        fade = tl.exp(largest - " +
           base + ")\n";
  if (factor.empty())
    return guard + "        share = tl.exp2(score - " + base +
           "[:, None])\n"
           "        fade = tl.exp2(largest - " +
           base + ")\n";
  return guard + "        share = tl.exp2(score * factor - (" + base +
         " * factor)[:, None])\n"
         "        fade = tl.exp2((largest - " +
         base + ") * factor)\n";
}

std::string AttentionLoop::piece(bool isWhole) const {
  const bool isBound = !isWhole && areKeysBound();
  std::string inside = isBound ? "at[None, :] < N" : "";
  if (!isWhole && mask.isCausal) {
    const std::string seen = "at[None, :] <= rows[:, None]" + mask.behind;
    inside = inside.empty() ? seen : "(" + inside + ") & (" + seen + ")";
  }
  std::string lines =
      "        k = tl.load(" + keyPlace +
      boundsText(isDepthBound ? "(along[:, None] < D)" : "", isBound ? "(at[None, :] < N)" : "") +
      ")\n"
      "        score = tl.dot(q, k, input_precision=\"ieee\")\n" +
      scaling;
  if (!mask.lines.empty())
    lines += mask.lines + mask.bounds(areRowsBound, isBound) + mask.linesBehind;
  if (!inside.empty())
    lines += "        score = tl.where(" + inside + ", score, float(\"-inf\"))\n";
  lines +=
      "        larger = tl.maximum(largest, tl.max(score, axis=1))\n" + powers() +
      "        weight = weight * fade + tl.sum(share, axis=1)\n"
      "        v = tl.load(" +
      valuePlace +
      boundsText(isBound ? "(at[:, None] < N)" : "", isWidthBound ? "(columns[None, :] < W)" : "") +
      ")\n"
      "        total = tl.dot(share.to(v.dtype), v, total * fade[:, None], "
      "input_precision=\"ieee\")\n"
      "        largest = larger\n";
  const bool readsPlaces =
      lines.find("at[") != std::string::npos || lines.find(" at *") != std::string::npos;
  return (readsPlaces ? "        at = begin + keys\n" : "") + lines;
}

std::string AttentionLoop::text() const {
  std::string end = "N", before = "    keys = tl.arange(0, BLOCK_N)\n";
  if (!factor.empty())
    before += "    factor = " + factor + "\n";
  std::string seenByAll = "N";
  if (mask.isCausal) {
    before += "    # No query of this program sees more.\n"
              "    end = tl.minimum(N, (program + 1) * BLOCK_M" +
              mask.behind + ")\n";
    end = "end";
    seenByAll = "tl.minimum(N, program * BLOCK_M + 1" + mask.behind + ")";
  }
  if (!isInTwo)
    return before + "    for begin in range(0, " + end + ", BLOCK_N):\n" + piece(false);
  return before +
         "    # All queries see all of these pieces.\n"
         "    whole = " +
         seenByAll +
         " // BLOCK_N * BLOCK_N\n"
         "    for begin in range(0, whole, BLOCK_N):\n" +
         piece(true) + "    for begin in range(whole, " + end + ", BLOCK_N):\n" + piece(false);
}

} // namespace tilescope::model
