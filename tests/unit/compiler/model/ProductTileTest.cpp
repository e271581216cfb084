// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which tile a product takes.
#include "compiler/model/emit/ProductTile.h"

#include <catch2/catch.hpp>

namespace tilescope::model {

static int64_t numTiles(const ProductExtents &product, const ProductTile &tile) {
  const int64_t width = tile.width();
  const int64_t rows = tile.isTurned ? product.columns : product.rows;
  const int64_t columns = tile.isTurned ? product.rows : product.columns;
  return (rows + tile.rows - 1) / tile.rows * ((columns + width - 1) / width);
}

TEST_CASE("a second part of a tile leaves hardly a multiprocessor idle", "[model]") {
  const ProductExtents product{1, 4096, 2304, 768, true};
  const ProductTile tile = productTile(product, 2);
  CHECK(tile.rows == 128);
  CHECK(tile.columns == 128);
  CHECK(tile.rest == 64);
  // Three for each of 132; without the second part five for some, four for most.
  CHECK(numTiles(product, tile) == 396);
  CHECK(numTiles(product, {128, 128, 64, 4, 3}) == 576);
}

TEST_CASE("two programs of each multiprocessor have the whole of a product", "[model]") {
  const ProductExtents product{1, 1568, 3072, 768, true};
  const ProductTile tile = productTile(product, 2);
  CHECK(tile.columns + tile.rest == 144);
  CHECK(numTiles(product, tile) == 264);
}

TEST_CASE("parts are rows where as few tiles suffice and the left factor is read row by row",
          "[model]") {
  ProductExtents product{1, 8192, 3072, 768, true};
  CHECK(productTile(product, 2).isTurned);
  product.hasLeftByColumns = true;
  CHECK_FALSE(productTile(product, 2).isTurned);
  CHECK(productTile(product, 2).rest == 64);
  // 144 tiles of 128 columns × 144 rows, and 128 of 128 rows × 144 columns.
  CHECK_FALSE(productTile({1, 1024, 2304, 768, true}, 2).isTurned);
}

TEST_CASE(
    "what is done behind a product keeps small tiles, unless all run at once or the depth is long",
    "[model]") {
  const auto elements = [](int64_t rows, int64_t columns, int64_t depth, bool hasWorkBehind) {
    const ProductTile tile = productTile({1, rows, columns, depth, true, hasWorkBehind}, 2);
    return tile.rows * (tile.columns + tile.rest);
  };
  CHECK(elements(4096, 2304, 768, false) == 128 * 192);
  CHECK(elements(4096, 2304, 768, true) == 128 * 128);
  CHECK(elements(1568, 3072, 768, true) == 128 * 144);
  CHECK(elements(3072, 3072, 3072, true) == 128 * 192);
  CHECK(productTile({1, 4096, 3072, 768, true, true, false, true}, 2).width() == 128);
}

TEST_CASE("with bulk copies three parts leave one tile for each multiprocessor", "[model]") {
  const auto tileOf = [](ProductExtents product) {
    product.hasRightByColumns = true;
    product.fitsBulkCopies = true;
    return productTile(product, 2);
  };
  const ProductExtents wide{1, 1568, 2304, 768}, deep{1, 1568, 1024, 4096};
  CHECK(tileOf(wide).width() == 128 + 64 + 32);
  CHECK(numTiles(wide, tileOf(wide)) == 126);
  CHECK(tileOf(deep).width() == 128 + 64 + 16);
  CHECK(numTiles(deep, tileOf(deep)) == 128);
  for (const ProductExtents &product : {wide, deep}) {
    CHECK(tileOf(product).isInBulk);
    CHECK(tileOf(product).isTurned);
    CHECK(productTile(product, 2).last == 0);
  }
  // Steps of few columns are shorter through pointers.
  CHECK_FALSE(tileOf({1, 1024, 768, 1536}).isInBulk);
  CHECK_FALSE(tileOf({1, 1024, 768, 768}).isInBulk);
  CHECK_FALSE(tileOf({1, 4096, 4096, 256}).isInBulk);
}

TEST_CASE("of deep products one tile for each multiprocessor comes in bulk", "[model]") {
  for (const auto [columns, depth] : {std::pair{768, 3072}, {1024, 3072}, {1024, 2048}}) {
    const ProductTile tile = productTile({1, 1024, columns, depth, true, false, false, true}, 2);
    CHECK(tile.isInBulk);
    CHECK(tile.rows == 64);
    CHECK(tile.width() == 128);
  }
}

TEST_CASE(
    "bulk copies bring no factors of small products, of fp32, and of rows that are no vectors",
    "[model]") {
  ProductExtents product{1, 1568, 2304, 768, true};
  CHECK_FALSE(productTile(product, 2).isInBulk);
  product.fitsBulkCopies = true;
  CHECK_FALSE(productTile(product, 4).isInBulk);
  product.hasLeftByColumns = true;
  CHECK_FALSE(productTile(product, 2).isInBulk);
  ProductExtents small{1, 256, 288, 256, true};
  small.fitsBulkCopies = true;
  CHECK_FALSE(productTile(small, 2).isInBulk);
  CHECK(fitsBulkCopies(3072, 2));
  CHECK_FALSE(fitsBulkCopies(3076, 2));
}

TEST_CASE("tiles have one part where a narrow one would be read in pieces of lines", "[model]") {
  CHECK(productTile({1, 1024, 2304, 768, false}, 2).rest == 0);
}

TEST_CASE("tiles of small products and of fp32 have one part", "[model]") {
  CHECK(productTile({1, 256, 288, 256, true}, 2).rest == 0);
  CHECK(productTile({1, 1024, 2304, 768, true}, 4).rest == 0);
}

TEST_CASE("large products take large tiles", "[model]") {
  const ProductTile tile = productTile({1, 4096, 4096, 4096, true}, 2);
  CHECK(tile.rows == 128);
  CHECK(tile.columns == 256);
  CHECK(tile.rest == 0);
}

TEST_CASE("the largest products have tiles of one part, unless far fewer do with two", "[model]") {
  CHECK(productTile({1, 2048, 8192, 2048, true}, 2).rest == 0);
  CHECK(productTile({1, 8192, 8192, 8192, true}, 2).rest == 0);
  // 384 tiles of 128 × 192, three for almost each, and 288 of 128 × 256, three for some and each longer.
  CHECK(productTile({1, 3072, 3072, 3072, true}, 2).rest == 64);
}

TEST_CASE("one tile for each multiprocessor is loaded farther ahead than several", "[model]") {
  const ProductTile alone = productTile({1, 1024, 1024, 1024, false}, 2);
  const ProductTile several = productTile({1, 1024, 3072, 768, false}, 2);
  CHECK(numTiles({1, 1024, 1024, 1024}, alone) == 128);
  CHECK(alone.stages == 6);
  CHECK(numTiles({1, 1024, 3072, 768}, several) == 384);
  CHECK(several.stages == 3);
}

TEST_CASE("fp32 is multiplied in parts, fp64 is not", "[model]") {
  CHECK(productTile({1, 1024, 1024, 1024, false}, 4).isInParts);
  CHECK(productTile({1, 1024, 1024, 1024, true}, 4).isInParts);
  CHECK_FALSE(productTile({1, 1024, 1024, 1024, true}, 8).isInParts);
  CHECK_FALSE(productTile({1, 1024, 1024, 1024, true}, 2).isInParts);
}

TEST_CASE("no tile is deeper than twice the product", "[model]") {
  CHECK(productTile({1, 100352, 256, 40, true}, 2).depth == 64);
  CHECK(productTile({1, 1 << 20, 256, 32, true}, 2).depth == 32);
}

} // namespace tilescope::model
