// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `run --json` prints when a run fails, by the program itself.
#include "compiler/support/ChildProcess.h"
#include "tests/unit/app/commands/SmallKernel.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace tilescope;
using nlohmann::json;

namespace fs = std::filesystem;

namespace {

struct RunOutcome {
  int status = 0;
  json document;
  std::string errors;
};

/// A kernel file in its own folder.
struct KernelFile {
  fs::path folder = fs::temp_directory_path() / ("tilescope-run-test-" + std::to_string(getpid()));
  fs::path path = folder / "k.py";
  explicit KernelFile(std::string text, const std::string &from = "", const std::string &to = "") {
    fs::create_directories(folder);
    if (!from.empty())
      text.replace(text.find(from), from.size(), to);
    std::ofstream(path) << text;
  }
  ~KernelFile() { fs::remove_all(folder); }

  RunOutcome run(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", path.string(), "--json"});
    const Result<ChildOutput> child =
        runChild(TILESCOPE_PROGRAM, options, std::chrono::seconds(120));
    REQUIRE(child);
    INFO(child->standardError);
    json document = json::parse(child->standardOutput, nullptr, false);
    REQUIRE(document.is_object());
    return {child->status, std::move(document), child->standardError};
  }
};

} // namespace

TEST_CASE("a kernel that does not compile is told of in the document", "[app]") {
  const KernelFile file(tests::kSmallKernel, "1.0", "first + second");
  const RunOutcome run = file.run({"--on", "cpu"});
  CHECK(run.status == 1);
  CHECK(run.document["ok"] == false);
  const json &diagnostics = run.document["diagnostics"];
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics[0]["message"] == "`first` is not defined");
  CHECK(diagnostics[0]["file"] == file.path.string());
  CHECK(diagnostics[0]["line"] == 12);
  CHECK(diagnostics[1]["message"] == "`second` is not defined");
  CHECK(run.errors.find("k.py:12:") != std::string::npos);
}

TEST_CASE("a launch block that is wrong is told of in the document", "[app]") {
  const RunOutcome run = KernelFile(tests::kSmallKernel, "shape = [16]", "shape = [\"10 ** 13\"]")
                             .run({"--on", "cpu"});
  CHECK(run.status == 1);
  REQUIRE_FALSE(run.document["diagnostics"].empty());
  CHECK(run.document["diagnostics"][0]["line"] == 7);
}

TEST_CASE("a file without a launch block is told of in the document", "[app]") {
  const RunOutcome run =
      KernelFile(tests::kSmallKernel, "/// tilescope", "nothing").run({"--on", "cpu"});
  CHECK(run.status == 1);
  CHECK(run.document["ok"] == false);
  CHECK(run.document["error"].get<std::string>().find("does not say how its kernel is launched") !=
        std::string::npos);
  CHECK(run.document["hint"].get<std::string>().starts_with("write a launch block"));
}

TEST_CASE("an expectation that cannot be worked out is told of once", "[app]") {
  const KernelFile file(tests::kSmallKernel, "shape = [16]",
                        "shape = [16], expected = \"lost + 1\"");
  const Result<ChildOutput> child =
      runChild(TILESCOPE_PROGRAM, {"run", file.path.string()}, std::chrono::seconds(120));
  REQUIRE(child);
  const std::string all = child->standardOutput + child->standardError;
  INFO(all);
  const size_t first = all.find("`lost` is not defined");
  REQUIRE(first != std::string::npos);
  CHECK(all.find("`lost` is not defined", first + 1) == std::string::npos);
  CHECK(all.find("not comparable") == std::string::npos);
  CHECK(child->standardOutput.find("; not checked") != std::string::npos);
  // Nothing was compared.
  CHECK(child->status == 1);
}

TEST_CASE("an output that is added to without a beginning is told so", "[app]") {
  const auto run = [](const std::string &argument) {
    std::string kernel = tests::kSmallKernel;
    const std::string store = "tl.store(x_ptr + tl.arange(0, 16), 1.0)";
    kernel.replace(kernel.find(store), store.size(),
                   "tl.atomic_add(x_ptr + tl.arange(0, 16), 1.0)");
    return KernelFile(kernel, "shape = [16]", "shape = [16], " + argument)
        .run({"--on", "cpu"})
        .document["diagnostics"]
        .dump();
  };
  const std::string all = run("expected = \"1.0\"");
  const size_t first = all.find("nothing fills it before the launch");
  REQUIRE(first != std::string::npos);
  CHECK(all.find("nothing fills", first + 1) == std::string::npos);
  CHECK(run("expected = \"2.0\", init = \"zeros\"").find("nothing fills") == std::string::npos);
}

TEST_CASE("a GPU that fails is told of in the document", "[app]") {
  const KernelFile file(tests::kSmallKernel);
  const fs::path scenario = file.folder / "scenario.json";
  std::ofstream(scenario) << R"({"error": {"code": "environment", "message": "the driver is gone",
                                 "hint": "load it"}})";
  setenv("TILESCOPE_RUNNER", TILESCOPE_FAKE_RUNNER, 1);
  setenv("FAKE_RUNNER", scenario.c_str(), 1);
  const RunOutcome run = file.run({"--on", "cuda", "--target", "cuda:90"});
  unsetenv("TILESCOPE_RUNNER");
  unsetenv("FAKE_RUNNER");
  CHECK(run.status == 3);
  CHECK(run.document["error"] == "the driver is gone");
  CHECK(run.document["hint"] == "load it");
}

TEST_CASE("a run that succeeds says so beside what it measured", "[app]") {
  const RunOutcome run = KernelFile(tests::kSmallKernel).run({"--on", "cpu"});
  CHECK(run.status == 0);
  CHECK(run.document["ok"] == true);
  CHECK(run.document["diagnostics"].empty());
  CHECK(run.document["outputs"][0]["name"] == "x_ptr");
}

/// A product of normally distributed numbers, with what it should be beside it.
static const char *const kProduct = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [1]
# [args]
# a_ptr = { dtype = "fp32", shape = [32, 32], init = "randn" }
# b_ptr = { dtype = "fp32", shape = [32, 32], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = [32, 32], expected = "a_ptr @ b_ptr" }
# ///

@triton.jit
def k(a_ptr, b_ptr, c_ptr):
    i = tl.arange(0, 32)
    at = i[:, None] * 32 + i[None, :]
    c = tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at))
    tl.store(c_ptr + at, c)
)py";

TEST_CASE("a product that is as far off as tf32 rounds matches, and the run says why", "[app]") {
  const std::string said = "products of fp32 use tf32 by default, which keeps about 3 decimal "
                           "digits; write `input_precision=\"ieee\"` to keep all of them";
  const RunOutcome rounded = KernelFile(kProduct).run({"--on", "cpu"});
  CHECK(rounded.status == 0);
  CHECK(rounded.document["diagnostics"].empty());
  REQUIRE(rounded.document["notes"].size() == 1);
  CHECK(rounded.document["notes"][0] == "`c_ptr` matches as far as tf32 goes: " + said);
  // It was meant.
  const RunOutcome meant =
      KernelFile(kProduct, "b_ptr + at))", "b_ptr + at), input_precision=\"tf32\")")
          .run({"--on", "cpu"});
  CHECK(meant.status == 0);
  CHECK(meant.document["notes"].empty());
  // A fault that is as small: all digits would not mend it.
  const auto labels = [](const RunOutcome &run) {
    REQUIRE(run.document["diagnostics"].size() == 1);
    CHECK(run.document["diagnostics"][0]["kind"] == "run-mismatch");
    return run.document["diagnostics"][0]["labels"];
  };
  CHECK(labels(
            KernelFile(kProduct, "(c_ptr + at, c)", "(c_ptr + at, c * 1.008)").run({"--on", "cpu"}))
            .empty());
  // Another fault.
  CHECK(labels(KernelFile(kProduct, "(c_ptr + at, c)", "(c_ptr + at, c * 2)").run({"--on", "cpu"}))
            .empty());
  const RunOutcome exact =
      KernelFile(kProduct, "b_ptr + at))", "b_ptr + at), input_precision=\"ieee\")")
          .run({"--on", "cpu"});
  CHECK(exact.status == 0);
  CHECK(exact.document["diagnostics"].empty());
  CHECK(exact.document["notes"].empty());
}

static const char *const kLittle = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [32], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [32], init = "zeros", expected = "maximum(x_ptr, 0)" }
# ///

@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 32)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i), 0.0))
)py";

TEST_CASE("a match is in doubt where little is expected", "[app]") {
  const auto output = [](const char *text, const char *by) {
    const RunOutcome run = KernelFile(kLittle, text, by).run({"--on", "cpu"});
    CHECK(run.status == 0);
    const json found = run.document["outputs"][1];
    CHECK(found["name"] == "y_ptr");
    CHECK(found["mismatches"] == 0);
    return found;
  };
  CHECK(output("i)", "i)")["doubt"] == "none");
  // Only zeros.
  CHECK(output("init = \"randn\" }\n# y_ptr = { dtype = \"fp32\", shape = [32], init = \"zeros\"",
               "init = \"zeros\" }\n# y_ptr = { dtype = \"fp32\", shape = [32]")["doubt"] ==
        "zeros");
  // What the output held before, but for the sign of zeros.
  CHECK(
      output(
          "expected = \"maximum(x_ptr, 0)\" }\n# ///\n\n@triton.jit\ndef k(x_ptr, y_ptr):\n    i = "
          "tl.arange(0, 32)\n    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i), 0.0))",
          "expected = \"0 * x_ptr\" }\n# ///\n\n@triton.jit\ndef k(x_ptr, y_ptr):\n    i = "
          "tl.arange(0, 32)\n    tl.store(y_ptr + i, tl.load(x_ptr + i) * 0.0)")["doubt"] ==
      "foregone");
}

TEST_CASE("an expectation that a run cannot check is told once, with its fix", "[app]") {
  const RunOutcome run =
      KernelFile(kLittle, "maximum(x_ptr, 0)", "maximum(x_prt, 0)").run({"--on", "cpu"});
  const json &found = run.document["diagnostics"];
  REQUIRE(found.size() == 1);
  CHECK(found[0]["message"].get<std::string>().starts_with(
      "`y_ptr` could not be checked: `x_prt` is not defined"));
  REQUIRE(found[0]["fixes"].size() == 1);
  CHECK(found[0]["fixes"][0]["replacement"] == "\"maximum(x_ptr, 0)\"");
}

TEST_CASE("a run of a kernel that stores nothing says so, whatever else it does", "[app]") {
  const std::string store = "tl.store(x_ptr + tl.arange(0, 16), 1.0)";
  const auto said = [&](const std::string &statement) {
    return KernelFile(tests::kSmallKernel, store, statement)
        .run({"--on", "cpu"})
        .document["diagnostics"];
  };
  const json warnings = said("x = tl.load(x_ptr + tl.arange(0, 16))");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0]["severity"] == "warning");
  CHECK(warnings[0]["line"] == 11);
  CHECK(warnings[0]["message"] ==
        "the kernel `k` does not store anything: a run leaves every argument unchanged");
  CHECK(said(store).empty());
  CHECK(said("tl.atomic_xchg(x_ptr, 1.0)").empty());
  CHECK(said("tl.device_print(\"pid\", tl.program_id(0))").empty());
  CHECK(said("if tl.program_id(0) < 1:\n        tl.store(x_ptr, 1.0)").empty());
}

TEST_CASE("a kernel without masks is told with which size it goes outside", "[app]") {
  static constexpr const char *kAdd = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 128
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "arange" }
# y = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(y + i, v + 1)
)py";
  const RunOutcome run = KernelFile(kAdd).run({"--on", "cpu"});
  CHECK(run.status == 0);
  REQUIRE(run.document["diagnostics"].size() == 1);
  const auto &note = run.document["diagnostics"][0];
  CHECK(note["severity"] == "note");
  const std::string message = note["message"];
  CHECK(message.starts_with("`n` = 128 is a multiple of the block, so that no access needs a mask; "
                            "with n = 127, program 1 reads `x[127]`, past its last element 126"));
  // Each access has its mask offered, which was tried with that size.
  REQUIRE(note["fixes"].size() == 2);
  CHECK(note["fixes"][0]["replacement"] == ", mask=i < n");
  CHECK(note["fixes"][1]["replacement"] == ", mask=i < n");
  const RunOutcome masked =
      KernelFile(kAdd, "tl.load(x + i)\n    tl.store(y + i, v + 1)",
                 "tl.load(x + i, mask=i < n)\n    tl.store(y + i, v + 1, mask=i < n)")
          .run({"--on", "cpu"});
  CHECK(masked.document["diagnostics"].empty());
}
