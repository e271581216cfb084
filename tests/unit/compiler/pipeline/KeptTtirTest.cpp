// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// TTIR that is kept from one request to the next must be what a compiler makes that has kept nothing.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::compiler;
namespace fs = std::filesystem;

static const std::string kScale = R"(import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, B: tl.constexpr = 128):
    i = tl.program_id(0) * B + tl.arange(0, B)
    unused = 1
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)
)";

static CompileRequest request(const std::string &text, StageId stopAfter) {
  CompileRequest result;
  result.path = "/kernels/k.py";
  result.text = text;
  result.stopAfter = stopAfter;
  return result;
}

static CompileResult compileAfresh(const CompileRequest &wanted) {
  Compiler compiler{CudaToolkit{}};
  return compiler.compile(wanted).result;
}

/// All but times and whether stages came from the cache.
static void checkEqual(const CompileResult &found, const CompileResult &expected) {
  CHECK(found.ok == expected.ok);
  CHECK(found.diagnostics == expected.diagnostics);
  CHECK(found.metadata == expected.metadata);
  CHECK(found.signature == expected.signature);
  CHECK(found.constexprs == expected.constexprs);
  CHECK(found.values == expected.values);
  CHECK(found.files == expected.files);
  REQUIRE(found.stages.size() == expected.stages.size());
  for (size_t i = 0; i < found.stages.size(); ++i) {
    CHECK(found.stages[i].text == expected.stages[i].text);
    CHECK(found.stages[i].sourceMap == expected.stages[i].sourceMap);
  }
  REQUIRE(found.passes.size() == expected.passes.size());
  for (size_t i = 0; i < found.passes.size(); ++i)
    CHECK(found.passes[i].name == expected.passes[i].name);
}

TEST_CASE("A request that goes further begins with the TTIR of the one before", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  for (const StageId stopAfter : {StageId::Ttir, StageId::Ttir, StageId::Ttgir, StageId::Ptx}) {
    INFO(static_cast<int>(stopAfter));
    const CompileRequest wanted = request(kScale, stopAfter);
    checkEqual(compiler.compile(wanted).result, compileAfresh(wanted));
  }
}

TEST_CASE("Which passes changed something is found out when it is asked for", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileRequest wanted = request(kScale, StageId::Ptx);
  const CompileResult expected = compileAfresh(wanted);
  CompileHooks without;
  without.wantsPasses = false;
  compiler.compile(wanted, without);
  const CompileResult found = compiler.compile(wanted).result;
  REQUIRE(found.passes.size() == expected.passes.size());
  for (size_t i = 0; i < found.passes.size(); ++i) {
    INFO(found.passes[i].name);
    CHECK(found.passes[i].changed == expected.passes[i].changed);
  }
}

TEST_CASE("TTIR is made anew for another text, other arguments or another target", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  std::vector<CompileRequest> requests(5, request(kScale, StageId::Ttgir));
  requests[1].text = kScale + "    tl.store(out, 1)\n";
  requests[2].selection.constexprs["B"] = "64";
  requests[3].selection.target = "cuda:80";
  requests[4].selection.options["num_warps"] = "8";
  // The first one comes again when the others have been made.
  requests.push_back(requests.front());
  for (size_t i = 0; i < requests.size(); ++i) {
    INFO(i);
    checkEqual(compiler.compile(requests[i]).result, compileAfresh(requests[i]));
  }
}

TEST_CASE("TTIR of a kernel that imports another file follows that file", "[compiler]") {
  const fs::path folder = fs::temp_directory_path() / ("kept-ttir-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto write = [&](const std::string &factor) {
    std::ofstream(folder / "helpers.py") << "import triton\nimport triton.language as tl\n\n\n"
                                            "@triton.jit\ndef scaled(v):\n    return v * "
                                         << factor << "\n";
  };
  CompileRequest wanted = request("import triton\nimport triton.language as tl\n"
                                  "from helpers import scaled\n\n\n@triton.jit\ndef k(x, out):\n"
                                  "    i = tl.arange(0, 32)\n"
                                  "    tl.store(out + i, scaled(tl.load(x + i)))\n",
                                  StageId::Ttir);
  wanted.path = folder / "k.py";
  Compiler compiler{CudaToolkit{}};
  for (const char *factor : {"3.0", "5.0"}) {
    write(factor);
    const CompileResult result = compiler.compile(wanted).result;
    REQUIRE(result.ok);
    CHECK(result.stage(StageId::Ttir)->text.find(factor[0] == '3' ? "3.0" : "5.0") !=
          std::string::npos);
  }
  fs::remove_all(folder);
}
