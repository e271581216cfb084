// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/ModelFiles.h"
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <catch2/catch.hpp>

using namespace tilescope::model;

TEST_CASE("the elements of large tensors stay in the file", "[compiler]") {
  ModelBuilder builder;
  builder.input("x", {"4"});
  builder.output("x");
  const std::string elements(1 << 20, 'w');
  builder.weight("large", {1 << 18}).set_raw_data(elements);
  builder.weight("small", {2}).set_raw_data("12345678");
  const std::string file = builder.model().SerializeAsString();

  const auto skeleton = scanModel(file);
  REQUIRE(skeleton);
  CHECK(skeleton->bytes.size() < 1000);
  REQUIRE(skeleton->spans.size() == 1);
  CHECK(file.substr(skeleton->spans[0].offset, skeleton->spans[0].size) == elements);

  builder.writeFile("m.onnx", file);
  auto mapped = MappedFile::open(builder.folder() / "m.onnx");
  REQUIRE(mapped);
  auto files = ModelFiles::open(builder.folder() / "m.onnx", std::move(*mapped));
  REQUIRE(files);
  const auto &weights = files->model().graph().initializer();
  const auto bytes = files->bytesOf(weights[0], elements.size());
  REQUIRE(bytes);
  CHECK(bytes->bytes == elements);
  CHECK_FALSE(bytes->isInline);
  CHECK(files->bytesOf(weights[1], 8)->bytes == "12345678");
  CHECK_FALSE(files->bytesOf(weights[0], elements.size() + 4));
}

TEST_CASE("a file that is cut off anywhere is refused or read as what is left", "[compiler]") {
  ModelBuilder builder;
  builder.input("x", {"N", "3"});
  builder.output("y");
  builder.weight("w", {600});
  builder.node("Relu", {"x"}, {"y"});
  const std::string file = builder.model().SerializeAsString();
  for (size_t size = 0; size < file.size(); ++size)
    if (const auto skeleton = scanModel(std::string_view(file).substr(0, size)); !skeleton)
      CHECK(skeleton.error().message.find("is damaged or cut off (byte ") != std::string::npos);
}

TEST_CASE("messages that nest without end are refused", "[compiler]") {
  // Graphs in attributes of nodes of graphs.
  std::string inner;
  const auto wrap = [&](int field) {
    std::string outer(1, static_cast<char>(field << 3 | 2));
    for (size_t size = inner.size();; size >>= 7) {
      outer.push_back(static_cast<char>(size < 0x80 ? size : size | 0x80));
      if (size < 0x80)
        break;
    }
    inner = outer + inner;
  };
  for (int i = 0; i < 200; ++i)
    for (const int field : {6, 5, 1})
      wrap(field);
  wrap(7);
  const auto skeleton = scanModel(inner);
  REQUIRE_FALSE(skeleton);
  CHECK(skeleton.error().message.find("nest too deeply") != std::string::npos);
}
