// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/LayoutPicture.h"
#include "tests/unit/compiler/layout/picture/RandomFacts.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::test;

static constexpr int kTrials = 400;

/// The worked example of LayoutMap.h.
static LayoutFacts eightElements() {
  LayoutFacts facts;
  facts.shape = {8};
  facts.elementBits = 32;
  facts.layout = {{"register", {{1}}}, {"lane", {{2}}}, {"warp", {{4}}}};
  return facts;
}

TEST_CASE("a place holds the xor of its bases", "[compiler][layout]") {
  const LayoutMap map(eightElements());
  const uint64_t place = map.elements().packIn(
      std::array{DimValue{Dim::Register, 1}, DimValue{Dim::Lane, 0}, DimValue{Dim::Warp, 1}});
  CHECK(map.elementOf(place) == 5);
  CHECK(map.ownersOf(5) == std::vector<uint64_t>{place});
  CHECK(map.numPlaces() == 8);
  CHECK(map.replication() == 1);
  CHECK(map.contiguousElements() == 2);
}

TEST_CASE("an element that no place holds has no owner", "[compiler][layout]") {
  LayoutFacts facts = eightElements();
  facts.layout[2].bases.clear();
  const LayoutMap map(facts);
  CHECK(map.replication() == 0);
  CHECK(map.ownersOf(4).empty());
  CHECK(map.ownersOf(3).size() == 1);
}

TEST_CASE("what is not a layout makes an empty map", "[compiler][layout]") {
  const auto isEmpty = [](const LayoutFacts &facts) {
    const LayoutPicture picture = makeLayoutPicture(facts, {}, Family::Warp);
    return picture.map.numElements() == 0 && picture.tensor.grid.numCells == 0 &&
           picture.hardware.grid.numCells == 0 && picture.map.ownersOf(0).empty();
  };
  LayoutFacts facts = eightElements();
  CHECK_FALSE(isEmpty(facts));
  facts.layout[0].bases[0] = {-1};
  CHECK(isEmpty(facts));
  facts.layout[0].bases[0] = {1, 1};
  CHECK(isEmpty(facts));
  facts = eightElements();
  facts.layout[0].input = "thread";
  CHECK(isEmpty(facts));
  facts.layout[0].input = "lane";
  CHECK(isEmpty(facts));
  facts = eightElements();
  facts.layout[0].bases.assign(60, {0});
  CHECK(isEmpty(facts));
  facts = eightElements();
  facts.shape = {-8};
  CHECK(isEmpty(facts));
  facts.shape.assign(30, 1);
  CHECK(isEmpty(facts));
  facts.shape = {int64_t(1) << 40, int64_t(1) << 40};
  facts.layout.clear();
  CHECK(isEmpty(facts));
}

TEST_CASE("elements and owners are those of an exhaustive search", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const LayoutFacts facts = random.next();
    const LayoutMap map(facts);
    const Exhaustive all(facts);
    REQUIRE(map.numPlaces() == all.held.size());
    for (uint64_t place = 0; place < map.numPlaces(); ++place) {
      REQUIRE(map.coordinates(map.elementOf(place)) == all.held[place]);
      REQUIRE(map.elementAt(all.held[place]) == map.elementOf(place));
      for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block, Dim::Offset})
        REQUIRE(map.component(place, dim) == all.component(place, dimName(dim)));
    }
    size_t mostHolders = 0;
    for (uint64_t element = 0; element < uint64_t(1) << map.elements().totalOutBits(); ++element) {
      const auto found = all.holders.find(map.coordinates(element));
      const bool isHeld = found != all.holders.end();
      REQUIRE(map.isHeld(element) == isHeld);
      REQUIRE(map.numOwnersOf(element) == (isHeld ? found->second.size() : 0));
      REQUIRE(map.ownersOf(element, SIZE_MAX) ==
              (isHeld ? found->second : std::vector<uint64_t>()));
      // The first few are the lowest.
      if (isHeld && found->second.size() > 2)
        REQUIRE(map.ownersOf(element, 2) ==
                std::vector(found->second.begin(), found->second.begin() + 2));
      mostHolders = std::max(mostHolders, isHeld ? found->second.size() : 0);
    }
    const bool coversAll = all.holders.size() == size_t(1) << map.elements().totalOutBits();
    REQUIRE(map.replication() == (coversAll ? mostHolders : 0));
  }
}

/// The coordinates that a cell of the tensor's picture stands for.
static std::vector<int64_t> coordinatesOf(const LayoutFacts &facts, const TensorSlice &slice,
                                          int64_t cell) {
  if (facts.shape.empty())
    return {};
  if (facts.shape.size() == 1)
    return {cell};
  // A matrix of one row or one column is drawn as a line.
  if (facts.shape.size() == 2 && std::ranges::min(facts.shape) == 1)
    return facts.shape[0] > 1 ? std::vector{cell, int64_t(0)} : std::vector{int64_t(0), cell};
  std::vector<int64_t> at = slice.fixed;
  const int64_t columns = facts.shape[static_cast<size_t>(slice.columnDim)];
  at[static_cast<size_t>(slice.rowDim)] = cell / columns;
  at[static_cast<size_t>(slice.columnDim)] = cell % columns;
  return at;
}

TEST_CASE("every cell of a tensor shows its element's lowest owner", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const LayoutFacts facts = random.next();
    const Exhaustive all(facts);
    TensorSlice slice = defaultSlice(LayoutMap(facts));
    for (size_t dim = 0; dim + 2 < facts.shape.size(); ++dim)
      slice.fixed[dim] = random.number(0, static_cast<int>(facts.shape[dim]) - 1);
    if (facts.shape.size() > 1 && random.number(0, 1) == 0)
      std::swap(slice.rowDim, slice.columnDim);
    const LayoutPicture picture = makeLayoutPicture(facts, slice, Family::Warp);
    const PictureView &tensor = picture.tensor;
    const CellMap members = picture.membersOf(tensor);
    int64_t count = 1;
    for (size_t dim = 0; dim < facts.shape.size(); ++dim)
      if (facts.shape.size() == 1 || int(dim) == slice.rowDim || int(dim) == slice.columnDim)
        count *= facts.shape[dim];
    REQUIRE(tensor.grid.numCells == count);
    for (int64_t cell = 0; cell < tensor.grid.numCells; ++cell) {
      const std::vector<int64_t> at = coordinatesOf(facts, slice, cell);
      const uint64_t element = tensor.elements.at(tensor.grid.cell(cell));
      REQUIRE(picture.map.coordinates(element) == at);
      REQUIRE(tensor.numberOf(tensor.elements, element) == cell);
      const auto found = all.holders.find(at);
      const uint64_t member = members.at(tensor.grid.cell(cell));
      REQUIRE(picture.members.exists(member) == (found != all.holders.end()));
      if (found == all.holders.end()) {
        REQUIRE(picture.ownerLabel(cell).empty());
        continue;
      }
      const uint64_t owner = found->second[0];
      REQUIRE(tensor.places.at(tensor.grid.cell(cell)) == owner);
      if (facts.shared) {
        const auto offset = static_cast<uint64_t>(all.component(owner, "offset"));
        REQUIRE(member == offset * std::max(8, facts.elementBits) / 32 % 32);
        REQUIRE(static_cast<int64_t>(member) == bankOf(offset, memoryBits(facts)));
        REQUIRE(picture.ownerLabel(cell) == std::to_string(owner));
      } else {
        const auto part = [&](const char *input) {
          return std::to_string(all.component(owner, input));
        };
        REQUIRE(std::to_string(member) == part("warp"));
        const bool isCluster = picture.map.size(Dim::Block) > 1;
        REQUIRE(picture.ownerLabel(cell) ==
                (isCluster ? "B" + part("block") + " w" + part("warp") + "\nL" + part("lane") + " r"
                           : "w" + part("warp") + " L" + part("lane") + "\nr") +
                    part("register"));
      }
    }
  }
}

TEST_CASE("every place has one cell in the picture of the hardware", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const LayoutFacts facts = random.next();
    const Exhaustive all(facts);
    const LayoutPicture picture =
        makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), Family::Lane);
    const HardwareView &view = picture.hardware;
    const PictureGrid &grid = view.grid;
    REQUIRE(grid.numCells == static_cast<int64_t>(all.held.size()));
    for (uint64_t place = 0; place < all.held.size(); ++place) {
      const std::optional<int64_t> number = view.numberOf(view.places, place);
      REQUIRE(number.has_value());
      const Cell cell = grid.cell(*number);
      REQUIRE(view.places.at(cell) == place);
      REQUIRE(picture.map.coordinates(view.elements.at(cell)) == all.held[place]);
      if (facts.shared) {
        REQUIRE(*number == static_cast<int64_t>(place));
        const int bits = std::max(8, facts.elementBits);
        REQUIRE(grid.columns <= 1024 / bits);
        continue;
      }
      const int64_t lane = all.component(place, "lane"), reg = all.component(place, "register");
      const int64_t row = cell.row % grid.blockRows, column = cell.column % grid.blockColumns;
      const int64_t wrapped = row % grid.groupRows * grid.blockColumns;
      REQUIRE(row / grid.groupRows == (view.areLanesAcross ? reg : lane));
      REQUIRE(column + wrapped == (view.areLanesAcross ? lane : reg));
      const int64_t block =
          cell.row / grid.blockRows * grid.numBlocksAcross() + cell.column / grid.blockColumns;
      REQUIRE(block == all.component(place, "block") * picture.map.size(Dim::Warp) +
                           all.component(place, "warp"));
      REQUIRE(picture.hardwareRowLabel(cell.row) == (wrapped > 0 ? "+" + std::to_string(wrapped)
                                                     : view.areLanesAcross
                                                         ? "r" + std::to_string(reg)
                                                         : "L" + std::to_string(lane)));
    }
  }
}

TEST_CASE("threads and words tell neighbours apart", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const LayoutFacts facts = random.next();
    const LayoutMap map(facts);
    const Exhaustive all(facts);
    const Members members =
        membersOf(map, facts.shared ? Family::Word : Family::Thread, memoryBits(facts));
    for (uint64_t place = 0; place < map.numPlaces(); ++place) {
      const int64_t expected =
          facts.shared
              ? all.component(place, "offset") * memoryBits(facts) / 32
              : all.component(place, "warp") * map.size(Dim::Lane) + all.component(place, "lane");
      REQUIRE(members.layout.applyPacked(place) == static_cast<uint64_t>(expected));
      REQUIRE(members.exists(static_cast<uint64_t>(expected)));
    }
  }
}

TEST_CASE("warps with few registers lie on their side", "[compiler][layout]") {
  LayoutFacts facts;
  facts.shape = {256};
  facts.elementBits = 32;
  facts.layout = {
      {"register", {{1}}}, {"lane", {{2}, {4}, {8}, {16}, {32}}}, {"warp", {{64}, {128}}}};
  const HardwareView view = hardwareView(LayoutMap(facts));
  CHECK(view.areLanesAcross);
  CHECK(view.grid.blockRows == 2);
  CHECK(view.grid.blockColumns == 32);
  // One below the other: the four together are wider than high.
  CHECK(view.grid.columns == 32);
  CHECK(view.grid.rows == 8);
}

TEST_CASE("many registers are wrapped, so that a lane can be pointed at", "[compiler][layout]") {
  LayoutFacts facts;
  facts.shape = {1024, 1024};
  facts.elementBits = 32;
  const auto view = [&](int registerBits) {
    facts.layout = {{"register", {}}, {"lane", {}}, {"warp", {}}};
    for (int bit = 0; bit < registerBits + 7; ++bit) {
      const int input = bit < registerBits ? 0 : bit < registerBits + 5 ? 1 : 2;
      facts.layout[static_cast<size_t>(input)].bases.push_back(
          bit < 10 ? std::vector{0, 1 << bit} : std::vector{1 << (bit - 10), 0});
    }
    return hardwareView(LayoutMap(facts));
  };
  CHECK(view(7).grid.groupRows == 1);
  // The worst case of a whole block over four warps: 8192 registers a lane.
  const PictureGrid grid = view(13).grid;
  CHECK(grid.groupRows == 32);
  CHECK(grid.blockColumns == 256);
  CHECK(grid.rows == 1024);
  CHECK(grid.columns == 1024);
  const LayoutPicture picture = makeLayoutPicture(facts, {0, 1, {0, 0}}, Family::Warp);
  CHECK(picture.hardwareRowLabel(32) == "L1");
  CHECK(picture.hardwareRowLabel(34) == "+512");
  CHECK(picture.hardwareColumnLabel(257) == "r1");
}

TEST_CASE("shared memory is shown in rows of 32 banks", "[compiler][layout]") {
  LayoutFacts facts;
  facts.shape = {4, 64};
  facts.shared = true;
  facts.layout = {{"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}}}};
  for (const auto &[bits, columns] : {std::pair(1, 128), {8, 128}, {16, 64}, {32, 32}, {64, 16}}) {
    facts.elementBits = bits;
    const LayoutPicture picture =
        makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), Family::Warp);
    CHECK(picture.hardware.grid.columns == columns);
    CHECK(picture.hardware.grid.rows == 256 / columns);
    // The numbers along the edge are those of the banks, whatever an element takes.
    for (int64_t column = 0; column < columns; ++column) {
      const std::string label = picture.hardwareColumnLabel(column);
      CHECK((label.empty() || label == "b" + std::to_string(bankOf(static_cast<uint64_t>(column),
                                                                   memoryBits(facts)))));
    }
  }
}

TEST_CASE("a matrix of one column is wrapped as a vector is", "[compiler][layout]") {
  LayoutFacts facts;
  facts.shape = {64, 1};
  facts.elementBits = 32;
  facts.layout = {
      {"register", {{1, 0}}}, {"lane", {{2, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}}}, {"warp", {}}};
  const LayoutPicture picture = makeLayoutPicture(facts, {0, 1, {0, 0}}, Family::Lane);
  CHECK(picture.tensor.grid.numCells == 64);
  CHECK(picture.tensor.grid.columns == 16);
  CHECK(picture.tensor.grid.rows == 4);
  CHECK(picture.tensorRowLabel(1) == "16");
  CHECK(picture.map.coordinates(picture.tensor.elements.at({1, 3})) == std::vector<int64_t>{19, 0});
}

TEST_CASE("a matrix that would be a hair is folded", "[compiler][layout]") {
  // [4, 512], as lanes along the columns and registers along the rows hold it.
  LayoutFacts facts;
  facts.shape = {4, 512};
  facts.elementBits = 32;
  facts.layout = {{"register", {{1, 0}, {2, 0}, {0, 128}, {0, 256}}},
                  {"lane", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}}},
                  {"warp", {{0, 32}, {0, 64}}}};
  const LayoutPicture wide = makeLayoutPicture(facts, {0, 1, {0, 0}}, Family::Warp);
  CHECK(wide.folds == 8);
  CHECK(wide.tensor.grid.rows == 32);
  CHECK(wide.tensor.grid.columns == 64);
  CHECK(wide.tensor.grid.blockRows == 4);
  // All rows of a part, then those of the next 64 columns.
  CHECK(wide.map.coordinates(wide.tensor.elements.at({5, 3})) == std::vector<int64_t>{1, 67});
  CHECK(wide.tensorRowLabel(5) == "1,64");
  CHECK(wide.tensorColumnLabel(3) == "3");
  const auto element = wide.tensor.elements.at({31, 63});
  CHECK(wide.map.coordinates(element) == std::vector<int64_t>{3, 511});
  CHECK(wide.tensor.numberOf(wide.tensor.elements, element) == 31 * 64 + 63);

  // The same on its side: parts lie beside each other.
  facts.shape = {512, 4};
  for (LayoutBases &dim : facts.layout)
    for (std::vector<int32_t> &base : dim.bases)
      std::swap(base[0], base[1]);
  const LayoutPicture high = makeLayoutPicture(facts, {0, 1, {0, 0}}, Family::Warp);
  CHECK(high.folds == 16);
  CHECK(high.tensor.grid.rows == 32);
  CHECK(high.tensor.grid.columns == 64);
  CHECK(high.tensor.grid.blockColumns == 4);
  CHECK(high.map.coordinates(high.tensor.elements.at({1, 6})) == std::vector<int64_t>{33, 2});
  CHECK(high.tensorRowLabel(1) == "1");
  CHECK(high.tensorColumnLabel(6) == "32,2");

  // What can be seen as it is stays whole.
  CHECK(foldsFor(64, 64) == 1);
  CHECK(foldsFor(16, 128) == 1);
  CHECK(foldsFor(3, 512) == 1);
}
