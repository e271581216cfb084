// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What counts as a misspelling, and what is another word.
#include "compiler/support/NearestName.h"

#include <catch2/catch.hpp>

using tilescope::areSiblings;
using tilescope::closestName;
using tilescope::extendsName;
using tilescope::repeatedName;
using tilescope::shortenedName;

#include <string>
#include <vector>

static const std::vector<std::string_view> kNames = {
    "abs", "arange",  "argmax", "cos",   "exp",        "exp2", "load", "log", "log2", "mask",
    "max", "maximum", "min",    "other", "program_id", "sin",  "sqrt", "sum", "where"};

static std::string closest(std::string_view name) { return std::string(closestName(name, kNames)); }

TEST_CASE("letters that are missing, doubled, wrong or exchanged are mended", "[support]") {
  CHECK(closest("laod") == "load");
  CHECK(closest("lod") == "load");
  CHECK(closest("summ") == "sum");
  CHECK(closest("smu") == "sum");
  CHECK(closest("maks") == "mask");
  CHECK(closest("arnage") == "arange");
  CHECK(closest("progam_di") == "program_id");
  CHECK(closest("Maximun") == "maximum");
  CHECK(closest("wher") == "where");
}

TEST_CASE("a single letter is mended by its case alone", "[support]") {
  const std::vector<std::string_view> names = {"x", "y", "xy"};
  CHECK(closestName("Y", names) == "y");
  CHECK(closestName("z", names) == "");
}

TEST_CASE("a letter that is typed twice is mended in the shortest names", "[support]") {
  const std::vector<std::string_view> names = {"x", "y", "xy", "oo"};
  CHECK(repeatedName("yy", names) == "y");
  CHECK(repeatedName("o", names) == "oo");
  CHECK(repeatedName("xyy", names) == "xy");
  CHECK(repeatedName("yyy", names) == "");
  CHECK(repeatedName("z", names) == "");
  CHECK(repeatedName("yx", names) == "");
}

TEST_CASE("a name with more words behind it is told", "[support]") {
  CHECK(extendsName("BLOCK", "BLOCK_SIZE"));
  CHECK(extendsName("BLOCK_SIZE", "BLOCK"));
  CHECK_FALSE(extendsName("BLOCK", "BLOCKS"));
  CHECK_FALSE(extendsName("BLOCK", "BLOCK"));
}

TEST_CASE("another word is not a misspelling", "[support]") {
  for (const char *name : {"mean", "mix", "mod", "tan", "std", "var", "log10", "median", "round",
                           "cumsum", "mode", "program", "loop", "size", "norm", "x", "n"}) {
    INFO(name);
    CHECK(closest(name) == "");
  }
}

TEST_CASE("names of a row are told from misspelled ones", "[support]") {
  CHECK(areSiblings("y_ptr", "x_ptr"));
  CHECK(areSiblings("stride_n", "stride_m"));
  CHECK(areSiblings("BLOCK_K", "BLOCK_M"));
  CHECK(areSiblings("sa_ptr", "sb_ptr"));
  CHECK(areSiblings("a2", "a1"));
  CHECK_FALSE(areSiblings("x_ptr", "x_ptr"));
  CHECK_FALSE(areSiblings("x_prt", "x_ptr"));
  CHECK_FALSE(areSiblings("offset", "offsets"));
  CHECK_FALSE(areSiblings("out_ptr", "x_ptr"));
  CHECK_FALSE(areSiblings("BLCOK_M", "BLOCK_M"));
  CHECK_FALSE(areSiblings("y", "x"));
  CHECK_FALSE(areSiblings("X_ptr", "x_ptr"));
  CHECK(areSiblings("Y_ptr", "x_ptr"));
}

TEST_CASE("a word is told by its beginning, and another one is not", "[support]") {
  const std::vector<std::string_view> names = {"offs", "x", "col", "mask_m", "accumulator"};
  CHECK(shortenedName("offset", names) == "offs");
  CHECK(shortenedName("accu", names) == "accumulator");
  CHECK(shortenedName("column", names) == "");
  CHECK(shortenedName("mask", names) == "");
  CHECK(shortenedName("offs", names) == "");
}
