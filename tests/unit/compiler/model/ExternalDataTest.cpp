// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <catch2/catch.hpp>

namespace fs = std::filesystem;
using namespace tilescope::model;

namespace {
/// A model with a weight of 1024 elements in another file.
struct External : ModelBuilder {
  External() {
    input("x", {"N", "1024"});
    output("y");
    onnx::TensorProto &tensor = weight("w", {1024});
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    node("Add", {"x", "w"}, {"y"});
    writeFile("w.bin", std::string(8192, '\0'));
  }
  void place(const std::string &key, const std::string &value) {
    onnx::StringStringEntryProto &entry = *graph().mutable_initializer(0)->add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
};
} // namespace

TEST_CASE("a weight in another file is mapped", "[compiler]") {
  External model;
  model.place("location", "w.bin");
  model.place("offset", "4096");
  const auto result = model.check();
  REQUIRE(result.ok);
  CHECK(result.externalBytes == 4096);
  CHECK(result.text.find("tm.weight \"w\" in \"w.bin\" at 4096 : tensor<1024xf32>") !=
        std::string::npos);
}

TEST_CASE("places outside the file or the folder are refused", "[compiler]") {
  const auto messageOf = [](const std::vector<std::pair<std::string, std::string>> &places) {
    External model;
    fs::create_symlink("/etc/hostname", model.folder() / "out");
    fs::create_symlink("w.bin", model.folder() / "in");
    fs::create_directory(model.folder() / "sub");
    for (const auto &[key, value] : places)
      model.place(key, value);
    return model.outcome();
  };
  CHECK(messageOf({{"location", "in"}}) == "[N, 1024]");
  CHECK(messageOf({{"location", "/etc/hostname"}}) ==
        "tensor `w`: the external file `/etc/hostname` has an absolute path");
  CHECK(messageOf({{"location", "../w.bin"}}) ==
        "tensor `w`: the external file `../w.bin` is outside the model's folder");
  CHECK(messageOf({{"location", "sub/../../w.bin"}}).find("is outside the model's folder") !=
        std::string::npos);
  CHECK(messageOf({{"location", "out"}}) ==
        "tensor `w`: the external file `out` is a link out of the model's folder");
  CHECK(messageOf({{"location", "none"}}) ==
        "tensor `w`: the external file `none` does not exist beside the model");
  CHECK(messageOf({{"location", "sub"}}).find("it is a folder") != std::string::npos);
  CHECK(messageOf({}) == "tensor `w` is external and names no file");
  CHECK(messageOf({{"location", "w.bin"}, {"offset", "8000"}}) ==
        "tensor `w` is to be at bytes 8000 to 12096 of `w.bin`, which has 8192");
  CHECK(messageOf({{"location", "w.bin"}, {"offset", "18446744073709551615"}})
            .find("which has 8192") != std::string::npos);
  CHECK(messageOf({{"location", "w.bin"}, {"offset", "-1"}}) ==
        "tensor `w`: the place in `w.bin` is not a number");
  CHECK(messageOf({{"location", "w.bin"}, {"length", "100"}}) ==
        "tensor `w` has 100 bytes, its type and extents take 4096");
  CHECK(messageOf({{"tilescope.span", "7"}}) == "tensor `w` has no elements");
}
