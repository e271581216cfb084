// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/Encodings.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

using namespace tilescope::compiler;
using Bases = std::vector<std::vector<int32_t>>;

static Bases basesOf(const LinearLayout &layout, Dim in, int rank) {
  Bases result;
  for (int bit = 0; bit < layout.inBits(in); ++bit)
    result.push_back(layout.tensorBasis(in, bit, rank));
  return result;
}

static LinearLayout construct(const nlohmann::json &row) {
  auto shape = row["shape"].get<std::vector<int64_t>>();
  auto list = [&](const char *key) { return row[key].get<std::vector<unsigned>>(); };
  LinearLayout cluster = singleBlockCluster(static_cast<int>(shape.size()));
  std::string kind = row["kind"];
  if (kind == "blocked")
    return blockedLayout(shape, {list("spt"), list("tpw"), list("wpc"), list("order")}, cluster);
  if (kind == "slice") {
    auto parent = row["parent"].get<std::vector<int64_t>>();
    LinearLayout layout =
        blockedLayout(parent, {list("spt"), list("tpw"), list("wpc"), list("order")},
                      singleBlockCluster(static_cast<int>(parent.size())));
    return slicedLayout(layout, row["dim"]);
  }
  if (kind == "mma")
    return mmaLayout(shape, {row["version"], list("wpc"), list("instr")}, cluster);
  if (kind == "mma_operand")
    return mmaOperandLayout(shape, {row["version"], list("wpc"), list("instr")}, row["operand"],
                            row["kw"], cluster);
  if (kind == "swizzled")
    return swizzledSharedLayout(shape, {row["vec"], row["per"], row["max"], list("order")},
                                cluster);
  REQUIRE(kind == "nvmma");
  return nvmmaSharedLayout(shape, {row["swz"], row["transposed"], row["bits"]}, cluster);
}

TEST_CASE("named layouts agree with an independent implementation", "[compiler][layout]") {
  std::ifstream table(TILESCOPE_LAYOUT_TABLE);
  std::string line;
  std::map<std::string, int> seen;
  while (std::getline(table, line)) {
    nlohmann::json row = nlohmann::json::parse(line);
    LinearLayout layout = construct(row);
    int rank = static_cast<int>(row["shape"].size());
    ++seen[row["kind"]];
    for (auto &[name, bases] : row["bases"].items()) {
      Dim in = name == "register" ? Dim::Register
               : name == "lane"   ? Dim::Lane
               : name == "warp"   ? Dim::Warp
               : name == "block"  ? Dim::Block
                                  : Dim::Offset;
      INFO(line << "\n" << layout.toString());
      CHECK(basesOf(layout, in, rank) == bases.get<Bases>());
    }
    CHECK(layout.isSurjective());
    for (int d = 0; d < rank; ++d)
      CHECK(layout.outSize(tensorDim(d)) == row["shape"][d].get<int64_t>());
  }
  CHECK(seen["blocked"] > 100);
  CHECK(seen["slice"] > 30);
  CHECK(seen["mma"] > 50);
  CHECK(seen["mma_operand"] > 100);
  CHECK(seen["swizzled"] > 100);
  CHECK(seen["nvmma"] > 20);
}

TEST_CASE("the default blocked layout spreads lanes before warps", "[compiler][layout]") {
  std::vector<int64_t> shape{4, 64};
  std::vector<unsigned> sizes{1, 4}, order{1, 0};
  BlockedParameters blocked = defaultBlocked(shape, sizes, order, 4);
  CHECK(blocked.threadsPerWarp == std::vector<unsigned>{2, 16});
  CHECK(blocked.warpsPerBlock == std::vector<unsigned>{4, 1});

  std::vector<int64_t> vector{1024};
  std::vector<unsigned> one{4}, line{0};
  blocked = defaultBlocked(vector, one, line, 8);
  CHECK(blocked.threadsPerWarp == std::vector<unsigned>{32});
  CHECK(blocked.warpsPerBlock == std::vector<unsigned>{8});
}

TEST_CASE("blocks of a cluster split a tensor or hold copies", "[compiler][layout]") {
  std::vector<int64_t> shape{64, 32};
  BlockedParameters blocked{{1, 1}, {1, 32}, {4, 1}, {1, 0}};
  Bases split{{1, 0}}, copies{{0, 0}};
  LinearLayout layout = blockedLayout(shape, blocked, clusterLayout(2, split));
  CHECK(layout.inSize(Dim::Register) == 8);
  CHECK(basesOf(layout, Dim::Block, 2) == Bases{{32, 0}});
  layout = blockedLayout(shape, blocked, clusterLayout(2, copies));
  CHECK(layout.inSize(Dim::Register) == 16);
  CHECK(basesOf(layout, Dim::Block, 2) == copies);

  std::vector<unsigned> blocks{2, 2}, pieces{2, 1}, order{1, 0};
  CHECK(basesOf(clusterLayout(blocks, pieces, order), Dim::Block, 2) == Bases{{0, 0}, {1, 0}});
}

TEST_CASE("a thread of a blocked dot operand holds all of K", "[compiler][layout]") {
  std::vector<int64_t> shape{16, 8};
  BlockedParameters result{{2, 2}, {4, 8}, {2, 2}, {1, 0}};
  LinearLayout a = blockedOperandLayout(shape, result, 0, singleBlockCluster(2));
  CHECK(basesOf(a, Dim::Register, 2) == Bases{{0, 1}, {0, 2}, {0, 4}, {1, 0}});
  CHECK(basesOf(a, Dim::Lane, 2) == Bases{{0, 0}, {0, 0}, {0, 0}, {2, 0}, {4, 0}});
  CHECK(basesOf(a, Dim::Warp, 2) == Bases{{0, 0}, {8, 0}});
}

TEST_CASE("operand swizzles fill the banks", "[compiler][layout]") {
  std::vector<int64_t> wide{128, 64}, narrow{128, 32};
  std::vector<unsigned> rows{1, 0}, columns{0, 1};
  CHECK(operandSwizzle(wide, rows, 0, 2, 16) == SwizzleParameters{8, 1, 8, rows});
  CHECK(operandSwizzle(narrow, rows, 0, 2, 16) == SwizzleParameters{8, 2, 4, rows});
  CHECK(operandSwizzle(wide, columns, 0, 2, 16) == SwizzleParameters{8, 1, 8, columns});
  CHECK(operandSwizzle(wide, rows, 0, 1, 32) == SwizzleParameters{4, 1, 8, rows});
  CHECK(operandSwizzle(wide, rows, 1, 1, 32) == SwizzleParameters{8, 1, 4, rows});
}

TEST_CASE("padding inserts gaps", "[compiler][layout]") {
  std::vector<PaddingRule> rules{{128, 8}};
  CHECK(paddedOffset(127, rules) == 127);
  CHECK(paddedOffset(128, rules) == 136);
  CHECK(paddedOffset(300, rules) == 316);
  std::vector<int64_t> shape{4, 8};
  std::vector<unsigned> order{1, 0};
  LinearLayout layout = unpaddedSharedLayout(shape, order, singleBlockCluster(2));
  CHECK(layout.apply({{Dim::Offset, 11}}) == Coordinates{{tensorDim(1), 3}, {tensorDim(0), 1}});
}

TEST_CASE("layouts given by bases fit other shapes", "[compiler][layout]") {
  std::vector<int64_t> shape{16, 8}, wide{32, 32}, narrow{16, 1};
  LinearLayout tile = mmaLayout(shape, {2, {1, 1}, {16, 8}}, singleBlockCluster(2));
  LinearLayout grown = refitLinear(tile, wide);
  CHECK(basesOf(grown, Dim::Register, 2) == Bases{{0, 1}, {8, 0}, {0, 8}, {0, 16}, {16, 0}});
  LinearLayout cut = refitLinear(tile, narrow);
  CHECK(basesOf(cut, Dim::Register, 2) == Bases{{8, 0}});
  CHECK(basesOf(cut, Dim::Lane, 2) == Bases{{0, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}});
}
