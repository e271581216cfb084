// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/TritonCache.h"

#include "app/launch/InputFile.h"
#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace tilescope::app;
using tilescope::Result;
namespace tests = tilescope::tests;
using tilescope::compiler::Selection;
using tilescope::compiler::StageId;

namespace fs = std::filesystem;

static constexpr const char *kMetadata = R"({
  "hash": "38aa", "target": {"backend": "cuda", "arch": 80, "warp_size": 32},
  "num_warps": 8, "num_stages": 2, "num_ctas": 1, "maxnreg": null, "enable_fp_fusion": false,
  "shared": 49152, "global_scratch_size": 0, "name": "mm", "extern_libs": [["libdevice", "x.bc"]]
})";

TEST_CASE("a cache folder yields its kernel, its stages and the facts of its metadata", "[app]") {
  const tests::TestFolder folder;
  for (const char *name : {"mm.source", "mm.ttir", "mm.ttgir", "mm.llir", "mm.ptx", "mm.cubin"})
    folder.write(name);
  folder.write("mm.json", kMetadata);
  folder.write("__grp__mm.json", R"({"child_paths": {}})");
  const std::vector<CachedKernel> kernels = cachedKernels(folder.path);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "mm");
  std::vector<StageId> stages;
  for (const auto &[stage, path] : kernels[0].paths)
    stages.push_back(stage);
  CHECK(stages ==
        std::vector{StageId::Ttir, StageId::Ttgir, StageId::LlvmIr, StageId::Ptx, StageId::Cubin});
  CHECK(kernels[0].paths.at(StageId::Ptx) == (folder.path / "mm.ptx").string());
  CHECK(kernels[0].selection.target == "cuda:80");
  const std::map<std::string, std::string> options = {
      {"num_warps", "8"},  {"num_stages", "2"},
      {"num_ctas", "1"},   {"enable_fp_fusion", "False"},
      {"shared", "49152"}, {"global_scratch_size", "0"}};
  CHECK(kernels[0].selection.options == options);
  CHECK(metadataBeside(folder.path / "mm.ttgir") == kernels[0].selection);
}

TEST_CASE("the cache as a whole yields the kernels of its folders", "[app]") {
  const tests::TestFolder folder;
  fs::create_directories(folder.path / "B");
  fs::create_directories(folder.path / "A");
  folder.write("B/mm.ttgir");
  folder.write("B/mm.cubin");
  folder.write("B/mm.json", kMetadata);
  folder.write("A/mm.cubin");
  const std::vector<CachedKernel> kernels = cachedKernels(folder.path);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "A/mm");
  CHECK(kernels[0].entryFile().empty());
  CHECK(kernels[1].name == "B/mm");
  CHECK(kernels[1].entryFile() == (folder.path / "B/mm.ttgir").string());
  CHECK(kernels[1].selection.target == "cuda:80");
  // Only one of them compiles: it is what the folder stands for.
  const auto input = readInput(folder.path);
  REQUIRE(input);
  CHECK(input->entry == StageId::Ttgir);
  CHECK(input->facts.target == "cuda:80");
}

TEST_CASE("a file enters at the stage that its name says", "[app]") {
  const auto check = [](const char *path, const char *text, StageId expected) {
    const Result<StageId> stage = entryStage(path, text);
    REQUIRE(stage);
    CHECK(*stage == expected);
  };
  check("a/k.py", "", StageId::Ast);
  check("k.ttir", "", StageId::Ttir);
  check("k.ttgir", "", StageId::Ttgir);
  check("k.ll", "", StageId::LlvmIr);
  check("k.ptx", "", StageId::Ptx);
  check("k.mlir", "#blocked = #ttg.blocked<{}>", StageId::Ttgir);
  check("k.mlir", "llvm.func @k()", StageId::LlvmIr);
  check("k.mlir", "tt.func @k()", StageId::Ttir);
  CHECK_FALSE(entryStage("k.txt", ""));
}

TEST_CASE("JSON about something else states nothing", "[app]") {
  const tests::TestFolder folder;
  folder.write("a.ttir");
  folder.write("a.json", "[1, 2]");
  folder.write("b.ttir");
  folder.write("b.json", "{ not json");
  folder.write("c.ttir");
  const std::vector<CachedKernel> kernels = cachedKernels(folder.path);
  REQUIRE(kernels.size() == 3);
  for (const CachedKernel &kernel : kernels)
    CHECK(kernel.selection == Selection{});
  CHECK(cachedKernels(folder.path / "missing").empty());
}

TEST_CASE("warps that were added by warp specialization are not taken for the kernel's", "[app]") {
  const tests::TestFolder folder;
  folder.write("k.json", R"({"num_warps": 12, "num_stages": 3})");
  CHECK(metadataBeside(folder.path / "k.ptx").options ==
        std::map<std::string, std::string>{{"num_stages", "3"}});
}

TEST_CASE("what the user chose stands before what the metadata states", "[app]") {
  Selection chosen;
  chosen.options = {{"num_warps", "2"}};
  Selection facts;
  facts.target = "cuda:80";
  facts.options = {{"num_warps", "8"}, {"shared", "64"}};
  completeSelection(chosen, facts);
  CHECK(chosen.target == "cuda:80");
  CHECK(chosen.options == std::map<std::string, std::string>{{"num_warps", "2"}, {"shared", "64"}});
  facts.target = "cuda:90";
  completeSelection(chosen, facts);
  CHECK(chosen.target == "cuda:80");
}
