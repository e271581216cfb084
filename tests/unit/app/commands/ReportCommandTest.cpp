// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A report of a kernel with wrong results says so in every form, and to scripts.
#include "tests/unit/app/commands/RunProgram.h"
#include "tests/unit/app/commands/SmallKernel.h"

#include <nlohmann/json.hpp>
#include <thread>

using namespace tilescope;
using tests::Folder;
using tests::program;

/// The small kernel, which writes 1, with what its output should hold.
static std::string kernelExpecting(const std::string &expected) {
  std::string text = tests::kSmallKernel;
  const std::string shape = "shape = [16]";
  return text.replace(text.find(shape), shape.size(), shape + ", expected = \"" + expected + "\"");
}

/// The report in the form of that ending, after a command with that exit status.
static std::string report(const Folder &folder, const std::string &ending, int status) {
  const std::string output = (folder.path / ("r." + ending)).string();
  const ChildOutput child =
      program({"report", "--on", "cpu", (folder.path / "k.py").string(), "-o", output});
  INFO(ending << ": " << child.standardError);
  CHECK(child.status == status);
  const bool isTold =
      child.standardError.find("`x_ptr[0]` is 1 instead of 2, written by program 0") !=
      std::string::npos;
  CHECK(isTold == (status == 1));
  const Result<std::string> text = profiler::readTextFile(output);
  REQUIRE(text);
  return *text;
}

TEST_CASE("a report of wrong results says so, and exits with 1", "[app]") {
  const Folder folder;
  folder.write("k.py", kernelExpecting("2"));
  const auto says = [&](const std::string &ending, const std::string &words) {
    INFO(ending << ": " << words);
    CHECK(report(folder, ending, 1).find(words) != std::string::npos);
  };
  says("md", "16 elements differ, first \\[0\\]: 1 instead of 2, worst \\[0\\]: 1 instead of 2");
  says("csv", ",16,x_ptr,x_ptr[0]: 1 instead of 2\n");
  says("html", "16 elements differ, first [0]: 1 instead of 2");
  const nlohmann::json json = nlohmann::json::parse(report(folder, "json", 1));
  CHECK(json["kernels"][0]["interpreter"]["outputs"][0]["expected"]["mismatches"] == 16);
}

TEST_CASE("a report of right results exits with 0", "[app]") {
  const Folder folder;
  folder.write("k.py", kernelExpecting("1"));
  CHECK(report(folder, "md", 0).find("as expected") != std::string::npos);
  CHECK(report(folder, "csv", 0).find(",0,,\n") != std::string::npos);
}

/// Each program reads the element that the next one overwrites: right in the order of programs.
static constexpr const char *kShift = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [5], init = "arange", expected = "concatenate((x_ptr[1:], x_ptr[4:]), axis=0)" }
# ///


@triton.jit
def k(x_ptr):
    i = tl.program_id(0)
    tl.store(x_ptr + i, tl.load(x_ptr + i + 1))
)py";

TEST_CASE("results that a race may have made are expected by chance alone", "[app]") {
  const Folder folder;
  folder.write("k.py", kShift);
  CHECK(report(folder, "md", 0).find("as expected by chance, since programs race") !=
        std::string::npos);
  const std::string html = report(folder, "html", 0);
  CHECK(html.find("⚠ by chance") != std::string::npos);
  CHECK(html.find("✓ match<") == std::string::npos);
  CHECK(nlohmann::json::parse(report(folder, "json", 0))["kernels"][0]["interpreter"]["races"] ==
        true);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK(document["races"] == true);
  CHECK(document["notes"] == nlohmann::json{"`x_ptr` matches by chance, since programs race"});
  CHECK(document["outputs"][0]["doubt"] == "races");
}

/// Whose number comes to which place depends on the order; how many came does not, nor what each
/// program stores for itself.
static constexpr const char *kPlaces = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# o_ptr = { dtype = "i32", shape = [8], expected = "arange(8)" }
# n_ptr = { dtype = "i32", shape = [1], init = "zeros", expected = "n_ptr + 8" }
# p_ptr = { dtype = "i32", shape = [8], expected = "arange(8) * 2" }
# q_ptr = { dtype = "i32", shape = [1], expected = "arange(1) + 7" }
# ///


@triton.jit
def k(o_ptr, n_ptr, p_ptr, q_ptr):
    i = tl.program_id(0)
    tl.store(o_ptr + tl.atomic_add(n_ptr, 1), i)
    tl.store(p_ptr + i, i * 2)
    tl.store(q_ptr, i)
)py";

/// The only program turns a block around through memory, and its warps do not wait for each other.
static constexpr const char *kTurned = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [2048], init = "randn" }
# t_ptr = { dtype = "fp32", shape = [2048], init = "empty" }
# y_ptr = { dtype = "fp32", shape = [2048], expected = "x_ptr[::-1]" }
# ///


@triton.jit
def k(x_ptr, t_ptr, y_ptr):
    i = tl.arange(0, 2048)
    tl.store(t_ptr + i, tl.load(x_ptr + i))
    tl.store(y_ptr + i, tl.load(t_ptr + 2047 - i))
)py";

TEST_CASE("where one program runs, its threads race, and no programs", "[app]") {
  const Folder folder;
  folder.write("k.py", kTurned);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK(document["outputs"][2]["doubt"] == "threads");
  CHECK(document["notes"] ==
        nlohmann::json{"`y_ptr` matches by chance, since threads of a program race"});
}

TEST_CASE("an output that no order of programs changes is not expected by chance", "[app]") {
  const Folder folder;
  folder.write("k.py", kPlaces);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK(document["races"] == true);
  CHECK(document["notes"] == nlohmann::json{"`o_ptr` matches by chance, since programs race",
                                            "`q_ptr` matches by chance, since programs race"});
  for (const auto &[index, doubt] :
       {std::pair(0, "races"), {1, "none"}, {2, "none"}, {3, "races"}}) {
    CHECK(document["outputs"][index]["mismatches"] == 0);
    CHECK(document["outputs"][index]["doubt"] == doubt);
  }
}

/// One look that a program may wait with.
static constexpr const char *kManyPrograms = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [131073]
# [args]
# n_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# o_ptr = { dtype = "i32", shape = [131073], expected = "arange(131073)" }
# ///


@triton.jit
def k(n_ptr, o_ptr):
    i = tl.program_id(0)
    if tl.load(n_ptr, volatile=True) == 0:
        tl.store(o_ptr + i, i)
)py";

TEST_CASE("a run says that its programs are too many to follow who waits", "[app]") {
  const Folder folder;
  for (const auto &[grid, isSaid] : {std::pair("131073", true), {"131072", false}}) {
    std::string text = kManyPrograms;
    for (size_t at = 0; (at = text.find("131073", at)) != std::string::npos; ++at)
      text.replace(at, 6, grid);
    folder.write("k.py", text);
    const ChildOutput run =
        program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
    const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
    CHECK(run.status == 0);
    CHECK(document["outputs"][1]["doubt"] == "none");
    CHECK((run.standardOutput.find("races behind a wait for other programs are not looked for") !=
           std::string::npos) == isSaid);
  }
}

/// Programs that announce a value, and later ones that look whether it was announced: one after
/// another, they find it; while one takes long, another may come too early.
static constexpr const char *kAnnounced = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# flag_ptr = { dtype = "i32", shape = [32], init = "zeros" }
# o_ptr = { dtype = "i32", shape = [32], expected = "arange(32)" }
# ///


@triton.jit
def k(flag_ptr, o_ptr):
    i = tl.program_id(0)
    if i < 32:
        w = 0
        if i == 31:
            for j in range(3000000):
                w = w * 3 + j
        tl.store(o_ptr + i, i, mask=w != 1)
        tl.atomic_xchg(flag_ptr + i, 1)
    elif tl.load(flag_ptr + 63 - i, volatile=True) == 0:
        tl.store(o_ptr + 63 - i, 1000)
)py";

TEST_CASE("a race that only programs at once show is told of", "[app]") {
  if (std::thread::hardware_concurrency() < 2)
    return;
  const Folder folder;
  folder.write("k.py", kAnnounced);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK(document["races"] == true);
  // What one program after another leaves.
  CHECK(document["outputs"][1]["mismatches"] == 0);
  CHECK(document["outputs"][1]["doubt"] == "races");
}

/// The sums take in what the last lanes load where there is nothing: 0, as it happens.
static constexpr const char *kUnmasked = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [100], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 128)
    tl.store(y_ptr, tl.sum(tl.load(x_ptr + i, mask=i < 100)))
)py";

TEST_CASE("results that undefined values take part in are expected by chance alone", "[app]") {
  const Folder folder;
  folder.write("k.py", kUnmasked);
  CHECK(report(folder, "md", 0).find("as expected by chance, since undefined values take part") !=
        std::string::npos);
  const std::string html = report(folder, "html", 0);
  CHECK(html.find("⚠ by chance") != std::string::npos);
  CHECK(html.find("✓ match<") == std::string::npos);
  const ChildOutput run = program({"run", "--on", "cpu", (folder.path / "k.py").string()});
  CHECK(run.standardOutput.find("; matches by chance, since undefined values take part (") !=
        std::string::npos);
}

/// The last lanes look up what an index names that nothing has loaded.
static constexpr const char *kLookedUp = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# i_ptr = { dtype = "i32", shape = [100], init = "randint", low = 0, high = 16 }
# t_ptr = { dtype = "fp32", shape = [16], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "128.0" }
# ///


@triton.jit
def k(i_ptr, t_ptr, y_ptr):
    c = tl.arange(0, 128)
    i = tl.load(i_ptr + c, mask=c < 100)
    tl.store(y_ptr, tl.sum(tl.load(t_ptr + i)))
)py";

TEST_CASE("results that undefined addresses lead to are expected by chance alone", "[app]") {
  const Folder folder;
  folder.write("k.py", kLookedUp);
  const ChildOutput run = program({"run", "--on", "cpu", (folder.path / "k.py").string()});
  CHECK(run.standardOutput.find("; matches by chance, since undefined values take part (") !=
        std::string::npos);
}

/// No lane stores anything, and the output holds what is expected.
static constexpr const char *kIdle = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [128], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [128], init = "ones", expected = "x_ptr" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 128)
    tl.store(y_ptr + i, tl.load(x_ptr + i), mask=i < 0)
)py";

TEST_CASE("a match of what the run left as it was is said to be one", "[app]") {
  const Folder folder;
  folder.write("k.py", kIdle);
  CHECK(report(folder, "html", 0).find("⚠ unchanged") != std::string::npos);
  const ChildOutput run = program({"run", "--on", "cpu", (folder.path / "k.py").string()});
  CHECK(run.standardOutput.find("; matches, but it holds what it held before the run (") !=
        std::string::npos);
}

TEST_CASE("where one of several outputs is in doubt, it is named", "[app]") {
  const Folder folder;
  std::string text = kIdle;
  text.insert(text.find("# ///\n\n\n@"), "# z_ptr = { dtype = \"fp32\", shape = [128], "
                                         "init = \"empty\", expected = \"x_ptr\" }\n");
  text.replace(text.find("y_ptr):"), 5, "y_ptr, z_ptr");
  folder.write("k.py", text + "    tl.store(z_ptr + i, tl.load(x_ptr + i))\n");
  CHECK(report(folder, "md", 0)
            .find("as expected; \\`y\\_ptr\\` matches, but it holds what it held before the run") !=
        std::string::npos);
}

TEST_CASE("a match without elements is said to be one", "[app]") {
  const Folder folder;
  std::string text = kIdle;
  for (size_t at; (at = text.find("shape = [128]")) != std::string::npos;)
    text.replace(at, 13, "shape = [0]");
  folder.write("k.py", text);
  const ChildOutput run = program({"run", "--on", "cpu", (folder.path / "k.py").string()});
  CHECK(run.standardOutput.find("; matches, but there are no elements to compare (") !=
        std::string::npos);
}

/// What cancels out leaves its roundings, 0.03 of numbers of size 1.
static constexpr const char *kCancelled = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [128], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [128], expected = "(x_ptr + 1e6) - 1e6" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 128)
    tl.store(y_ptr + i, (tl.load(x_ptr + i) + 1e6) - 1e6)
)py";

TEST_CASE("a match within a tolerance as large as the values is said to be loose", "[app]") {
  const Folder folder;
  folder.write("k.py", kCancelled);
  const std::string html = report(folder, "html", 0);
  CHECK(html.find("⚠ loose") != std::string::npos);
  CHECK(html.find("✓ match<") == std::string::npos);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json output = nlohmann::json::parse(run.standardOutput)["outputs"][1];
  CHECK(output["name"] == "y_ptr");
  CHECK(output["doubt"] == "tolerance");
  CHECK(output["mismatches"] == 0);
  CHECK(output["indistinct"] > 32);
}
