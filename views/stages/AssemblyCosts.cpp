// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/CostLines.h"

namespace tilescope::views {

// PTX, and the assembly in LLVM IR
// ------------------------------------------------------------------

static int64_t movedBytes(const std::vector<std::string_view> &parts) {
  int64_t vector = 1, bits = 0;
  for (const std::string_view part : parts)
    if (isNumbered(part, "v"))
      vector = leadingNumber(part.substr(1));
    else if (isNumbered(part, "bufs"))
      bits = leadingNumber(part.substr(1));
  return vector * bits / 8;
}

/// Of `m16n8k16`, M·N·K; 0: it is no shape.
static double shapeProduct(std::string_view part) {
  if (!part.starts_with('m'))
    return 0;
  const size_t n = part.find('n'), k = part.find('k');
  if (n == std::string_view::npos || k == std::string_view::npos)
    return 0;
  return static_cast<double>(leadingNumber(part.substr(1))) *
         static_cast<double>(leadingNumber(part.substr(n + 1))) *
         static_cast<double>(leadingNumber(part.substr(k + 1)));
}

static constexpr int kLanesOfWarp = 32, kLanesOfGroup = 128;

static void addPtxInstruction(std::string_view instruction, StageCosts &costs) {
  const auto starts = [&](std::string_view name) { return instruction.starts_with(name); };
  if (starts("ld.global") || starts("ld.relaxed") || starts("ld.acquire")) {
    ++costs.loads[movedBytes(partsOf(instruction))];
  } else if (starts("st.global") || starts("st.relaxed") || starts("st.release")) {
    ++costs.stores[movedBytes(partsOf(instruction))];
  } else if (starts("cp.async.ca.") || starts("cp.async.cg.") || starts("cp.async.bulk.tensor")) {
    ++costs.asyncCopies;
  } else if (starts("ld.shared") || starts("st.shared") || starts("ldmatrix") ||
             starts("stmatrix")) {
    ++costs.sharedAccesses;
  } else if (starts("atom.") || starts("red.global")) {
    ++costs.atomics;
  } else if (starts("bar.sync") || starts("barrier.sync") || starts("barrier.cta.sync")) {
    ++costs.barriers;
  } else if (starts("ld.local") || starts("st.local")) {
    // Its registers are without number, so none of them is spilled here.
    ++costs.localAccesses;
  } else if (starts("mma.sync") || starts("wgmma.mma_async")) {
    for (const std::string_view part : partsOf(instruction))
      costs.tensorMultiplyAdds +=
          shapeProduct(part) / (starts("mma.sync") ? kLanesOfWarp : kLanesOfGroup);
  } else if (starts("fma.rn")) {
    costs.otherMultiplyAdds += has(instruction, "x2") ? 2 : 1;
  }
}

StageCosts countPtxCosts(std::string_view text) {
  StageCosts costs;
  eachLine(text, [&](std::string_view line) {
    line.remove_prefix(indentOf(line));
    // Of inline assembly.
    if (line.starts_with("{ "))
      line.remove_prefix(2);
    if (line.starts_with('@')) {
      line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
      line.remove_prefix(indentOf(line));
    }
    addPtxInstruction(line.substr(0, line.find_first_of(" \t;")), costs);
  });
  return costs;
}

/// Bytes that the type at the beginning of a text has: `<4 x i32>`, `float`, `i16`.
static int64_t llvmBytes(std::string_view type) {
  int64_t count = 1;
  if (type.starts_with('<')) {
    count = leadingNumber(type.substr(1));
    const size_t cross = type.find(" x ");
    type.remove_prefix(cross == std::string_view::npos ? type.size() : cross + 3);
  }
  if (type.starts_with("float"))
    return count * 4;
  if (type.starts_with("half") || type.starts_with("bfloat"))
    return count * 2;
  if (type.starts_with("double") || type.starts_with("ptr"))
    return count * 8;
  return type.starts_with('i') ? count * std::max<int64_t>(8, leadingNumber(type.substr(1))) / 8
                               : 0;
}

static void addLlvmAccess(std::string_view line, StageCosts &costs) {
  const size_t load = line.find("= load "), store = line.find(" store ");
  const bool isLoad = load != std::string_view::npos;
  if (!isLoad && store == std::string_view::npos)
    return;
  if (has(line, "addrspace(3)"))
    ++costs.sharedAccesses;
  else if (has(line, "addrspace(1)"))
    ++(isLoad ? costs.loads : costs.stores)[llvmBytes(line.substr((isLoad ? load : store) + 7))];
}

/// Its own accesses, and the instructions in its assembly. Products and sums become multiply-adds
/// only later, so that it does not tell which share of them tensor cores have.
StageCosts countLlvmCosts(std::string_view text) {
  StageCosts costs;
  eachLine(text, [&](std::string_view line) {
    if (line.starts_with("declare"))
      return;
    const size_t assembly = line.find(" asm ");
    if (assembly != std::string_view::npos) {
      for (size_t at = assembly; at < line.size();) {
        const size_t begin = line.find_first_of("abcdefghijklmnopqrstuvwxyz", at);
        if (begin == std::string_view::npos)
          break;
        const size_t end = std::min(line.find_first_of(" \t;\"", begin), line.size());
        addPtxInstruction(line.substr(begin, end - begin), costs);
        at = end;
      }
    } else if (has(line, "@llvm.nvvm.barrier")) {
      ++costs.barriers;
    } else if (has(line, "@llvm.nvvm.ldmatrix") || has(line, "@llvm.nvvm.stmatrix")) {
      ++costs.sharedAccesses;
    } else if (has(line, "@llvm.nvvm.cp.async.c") && !has(line, "commit")) {
      ++costs.asyncCopies;
    } else if (has(line, "atomicrmw ") || has(line, "cmpxchg ")) {
      ++costs.atomics;
    } else {
      addLlvmAccess(line, costs);
    }
  });
  costs.tensorMultiplyAdds = costs.otherMultiplyAdds = 0;
  return costs;
}

// SASS
// ----------------------------------------------------------------------------------------------

static int64_t sassBytes(const std::vector<std::string_view> &parts) {
  for (const std::string_view part : parts) {
    if (part == "128" || part == "64")
      return leadingNumber(part) / 8;
    if (part == "U16" || part == "S16")
      return 2;
    if (part == "U8" || part == "S8")
      return 1;
  }
  return 4;
}

/// M·N·K of `16816`, `1688` or `64x128x16`.
static double sassShape(std::string_view part) {
  if (const size_t cross = part.find('x'); cross != std::string_view::npos) {
    const size_t next = part.find('x', cross + 1);
    if (next == std::string_view::npos)
      return 0;
    return static_cast<double>(leadingNumber(part)) *
           static_cast<double>(leadingNumber(part.substr(cross + 1))) *
           static_cast<double>(leadingNumber(part.substr(next + 1)));
  }
  const bool isShape = part.size() > 3 && part.starts_with("168") &&
                       part.find_first_not_of("0123456789") == std::string_view::npos;
  return isShape ? 16.0 * 8 * static_cast<double>(leadingNumber(part.substr(3))) : 0;
}

static void addSassInstruction(std::string_view instruction, StageCosts &costs) {
  const std::vector<std::string_view> parts = partsOf(instruction);
  const std::string_view name = parts.front();
  const auto is = [&](auto... names) { return ((name == names) || ...); };
  if (is("LDG"))
    ++costs.loads[sassBytes(parts)];
  else if (is("STG"))
    ++costs.stores[sassBytes(parts)];
  else if (is("LDGSTS", "UTMALDG", "UBLKCP"))
    ++costs.asyncCopies;
  else if (is("LDS", "STS", "LDSM", "STSM"))
    ++costs.sharedAccesses;
  else if (is("ATOM", "ATOMG", "RED", "REDG"))
    ++costs.atomics;
  else if (is("BAR"))
    ++costs.barriers;
  else if (is("LDL", "STL"))
    ++costs.spills;
  else if (is("FFMA", "DFMA"))
    ++costs.otherMultiplyAdds;
  else if (is("HFMA2", "FFMA2"))
    costs.otherMultiplyAdds += 2;
  else if (name.ends_with("MMA") && name.size() <= 5)
    for (size_t i = 1; i < parts.size(); ++i)
      costs.tensorMultiplyAdds +=
          sassShape(parts[i]) /
          (parts[i].find('x') == std::string_view::npos ? kLanesOfWarp : kLanesOfGroup);
}

StageCosts countSassCosts(std::string_view text) {
  StageCosts costs;
  eachLine(text, [&](std::string_view line) {
    // `        /*0120*/              @!P0 LDG.E.128 R4, [R2.64] ;`
    const size_t address = line.find("/*");
    const size_t end = address == std::string_view::npos ? address : line.find("*/", address);
    if (end == std::string_view::npos || !has(line, ";"))
      return;
    line.remove_prefix(end + 2);
    line.remove_prefix(indentOf(line));
    if (line.starts_with('@')) {
      line.remove_prefix(std::min(line.find(' '), line.size()));
      line.remove_prefix(indentOf(line));
    }
    if (const std::string_view instruction = line.substr(0, line.find_first_of(" ;"));
        !instruction.empty())
      addSassInstruction(instruction, costs);
  });
  return costs;
}

} // namespace tilescope::views
