// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/document/KernelDocument.h"

#include "app/document/ForkStage.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static const char *const kText = R"py(import triton

@triton.jit
def helper(x):
    pass


@triton.jit
def a(x_ptr):
    helper(x_ptr)

# /// tilescope
# kernel = "b"
# grid = [1]
# ///
@triton.jit
def b(x_ptr):
    pass
)py";

static DocumentPointer document(const std::string &text, KernelChoice choice = {}) {
  return makeDocument(7, makeSource("/k/two.py", text), std::move(choice),
                      {"cuda:80", {"/lib"}, {}});
}

TEST_CASE("a document says in one request what is compiled and run", "[app]") {
  KernelChoice choice;
  choice.launch = 0;
  choice.options = {{"num_warps", "8"}};
  const DocumentPointer made = document(kText, choice);
  const compiler::CompileRequest request = made->request();
  CHECK(request.revision == 7);
  CHECK(request.path == "/k/two.py");
  CHECK(request.text == kText);
  CHECK(request.selection.launch == "0");
  CHECK(request.selection.options == choice.options);
  CHECK(request.selection.target == "cuda:80");
  CHECK(request.selection.importPaths == std::vector<std::string>{"/lib"});
  CHECK(made->kernel() == "b");
}

TEST_CASE("a text without a file is compiled under a name", "[app]") {
  CHECK(makeDocument(1, makeSource("", kText), {}, {})->request().path == "untitled.py");
  CHECK(makeDocument(1, makeSource("", kText, nullptr, "untitled-2.py"), {}, {})->request().path ==
        "untitled-2.py");
}

TEST_CASE("the kernel of a choice decides on the launch block, and the other way round", "[app]") {
  const DocumentPointer first = document(kText);
  // The only block is the first that fits.
  CHECK(first->launch == 0);
  const DocumentPointer other = document(kText, chooseKernel(*first, "a"));
  CHECK(other->launch == -1);
  CHECK(other->launchBlock() == nullptr);
  CHECK(document(kText, chooseLaunch(*other, 0))->kernel() == "b");
}

TEST_CASE("a choice that the text no longer has is dropped, and the pin stays", "[app]") {
  KernelChoice choice;
  choice.kernel = "gone";
  choice.launch = 5;
  choice.options = {{"num_warps", "8"}};
  choice.isPinned = true;
  const DocumentPointer made = document(kText, choice);
  KernelChoice kept;
  kept.isPinned = true;
  CHECK(made->choice == kept);
}

TEST_CASE("a cursor means the kernel or block that it is in", "[app]") {
  const DocumentPointer made = document(kText);
  CHECK(choiceAt(*made, {8, 4})->kernel == "a");
  // A function that kernels call is none.
  CHECK_FALSE(choiceAt(*made, {3, 4}));
  CHECK_FALSE(choiceAt(*made, {12, 3}));
  const DocumentPointer other = document(kText, chooseKernel(*made, "a"));
  CHECK(choiceAt(*other, {12, 3})->launch == 0);
  CHECK(choiceAt(*other, {15, 0})->kernel == "b");
  KernelChoice pinned = other->choice;
  pinned.isPinned = true;
  CHECK_FALSE(choiceAt(*document(kText, pinned), {15, 0}));
  // Below the last one there is no other that it could mean.
  const std::string text = kText;
  const auto numLines = static_cast<uint32_t>(std::ranges::count(text, '\n'));
  CHECK(choiceAt(*document(text + "\n    ", other->choice), {numLines + 1, 4})->kernel == "b");
  CHECK(choiceAt(*document(text, other->choice), {numLines, 0})->kernel == "b");
  CHECK_FALSE(choiceAt(*document(text + "\nx = 1\n", other->choice), {numLines, 0}));
  CHECK_FALSE(choiceAt(*document(text + "\nx = 1\n", other->choice), {numLines + 2, 0}));
}

TEST_CASE("a fork says in its launch block what was compiled, in the kernel's order", "[app]") {
  const DocumentPointer made =
      document("# /// tilescope\n# kernel = \"k\"\n# grid = [\"cdiv(n, B)\"]\n"
               "# [sizes]\n# n = 5\n# [args]\n# n = \"n\"\n"
               "# x = { dtype = \"fp32\", shape = [\"n\"] }\n"
               "# bias = \"None\"\n# ///\n"
               "@triton.jit\ndef k(x, n, bias, B: tl.constexpr):\n    pass\n");
  compiler::CompileResult result;
  result.metadata.name = "k";
  result.metadata.numWarps = 8;
  result.metadata.parameters = {{"x", "*fp32"}, {"n", "i32"}};
  result.constexprs = {{"B", "64"}, {"bias", "None"}};
  result.stages = {{compiler::StageId::LlvmIr, true, false, 0, "define void @k()\n", {}}};
  CHECK(
      forkText(*made, result, compiler::StageId::LlvmIr) ==
      "; /// tilescope\n; kernel = \"k\"\n; grid = [\"cdiv(n, B)\"]\n; [sizes]\n; n = 5\n; [args]\n"
      "; x = { dtype = \"fp32\", shape = [\"n\"] }\n; n = \"n\"\n; [constexprs]\n; B    = 64\n"
      "; bias = \"None\"\n; [options]\n; num_stages = 3\n; num_warps  = 8\n; ///\n\n"
      "define void @k()\n");
}

TEST_CASE("a kernel stays chosen while the text does not parse", "[app]") {
  std::string broken = kText;
  broken.replace(broken.find("def a("), 6, "d a(");
  KernelChoice choice;
  choice.kernel = "a";
  const DocumentPointer made = document(broken, choice);
  REQUIRE_FALSE(made->source->syntaxErrors.empty());
  CHECK(made->kernel() == "a");
  CHECK(document(kText, choice)->source->syntaxErrors.empty());
}

TEST_CASE("a block that names no kernel of the text leaves the one before", "[app]") {
  std::string text = kText;
  text.replace(text.find("kernel = \"b\""), 12, "kernel = \"bb\"");
  const auto source = makeSource("/k/two.py", text);
  KernelChoice choice;
  choice.launch = 0;
  CHECK(makeDocument(1, source, choice, {}, "b")->kernel() == "b");
  // Nothing was before: the first that can be launched.
  CHECK(makeDocument(1, source, choice, {})->kernel() == "a");
}

TEST_CASE("a chosen kernel that was replaced is not looked for", "[app]") {
  KernelChoice choice;
  choice.kernel = "kernel";
  const std::string imports = "import triton\nimport triton.language as tl\n\n\n";
  const DocumentPointer plain = document(imports + "def f(x):\n    tl.store(x, 1)\n", choice);
  CHECK(plain->selection().kernel == "");
  const DocumentPointer returning =
      document(imports + "@triton.jit\ndef f(x):\n    return tl.load(x)\n", choice);
  CHECK(returning->selection().kernel == "");
  CHECK(returning->kernel() == "f");
}

TEST_CASE("a kernel that was not chosen is the same choice as one that was", "[app]") {
  const DocumentPointer made = document(kText);
  KernelChoice named;
  named.kernel = "b";
  CHECK(isSameChoice(*made, *document(kText, named)));
  CHECK_FALSE(isSameChoice(*made, *document(kText, chooseKernel(*made, "a"))));
  named.options = {{"num_warps", "8"}};
  CHECK_FALSE(isSameChoice(*made, *document(kText, named)));
}

TEST_CASE("a fork of a document's own stage has its launch block once", "[app]") {
  const std::string text = "// /// tilescope\n// grid = [1]\n// ///\nmodule {}\n";
  const DocumentPointer made =
      makeDocument(1, makeSource("/k/one.ttir", text), {}, {"cuda:80", {}, {}});
  REQUIRE(made->launchBlock());
  compiler::CompileResult result;
  compiler::Stage &stage = result.stages.emplace_back();
  stage.id = compiler::StageId::Ttir;
  stage.ok = true;
  stage.text = text;
  CHECK(forkText(*made, result, compiler::StageId::Ttir) == text);
}
