// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Wrong usage: exit status 2, a suggestion, and a document for scripts that asked for one.
#include "app/commands/Subcommands.h"
#include "tests/unit/app/commands/RunProgram.h"
#include "tests/unit/app/commands/SmallKernel.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using nlohmann::json;
using tests::Folder;
using tests::program;

TEST_CASE("a word that is neither a command nor a file is wrong usage", "[app]") {
  CHECK(classifyFirstWord("compile") == FirstWord::Subcommand);
  CHECK(classifyFirstWord("--screenshot") == FirstWord::WindowArgument);
  CHECK(classifyFirstWord("new_kernel.py") == FirstWord::WindowArgument);
  CHECK(classifyFirstWord("/tmp") == FirstWord::WindowArgument);
  CHECK(classifyFirstWord("comple") == FirstWord::Mistyped);
  CHECK(unknownSubcommand("comple").hint == "did you mean `compile`?");
  CHECK(unknownSubcommand("raport").hint == "did you mean `report`?");
  CHECK(unknownSubcommand("benchmark").hint.find("did you mean") == std::string::npos);

  const ChildOutput child = program({"comple", "k.py"});
  CHECK(child.status == 2);
  CHECK(child.standardError.find("`comple` is neither a command nor a file") != std::string::npos);
  CHECK(child.standardError.find("did you mean `compile`?") != std::string::npos);
}

TEST_CASE("a script that asks for JSON gets a document for every failure", "[app]") {
  const std::vector<std::vector<std::string>> calls{
      {"comple", "k.py", "--json"},
      {"k.py", "--json"},
      {"check", "--json"},
      {"check", "--json", "--no-such-option", "k.py"},
      {"check", "--json", "/nowhere/k.py"},
      {"check", "--json", "--signature", "x", "k.py"},
      {"compile", "--json", "/nowhere/k.py"},
      {"compile", "--json", "--emit", "nothing", "/nowhere/k.py"},
      {"compile", "--json", "--all-launches", "/nowhere/k.py"},
      {"compile", "--json", "--all-launches", "--out", "/tmp", "/nowhere/k.py"},
      {"run", "--json", "/nowhere/k.py"},
      {"run", "--json", "--on", "moon", "k.py"},
      {"profile", "--json", "--on", "cpu", "k.py"},
      {"help", "--json"},
      {"help", "--json", "no-such-word"},
      {"help", "--json", "--all", "tl.load"},
  };
  for (const std::vector<std::string> &call : calls) {
    std::string words;
    for (const std::string &word : call)
      words += word + " ";
    INFO(words);
    const ChildOutput child = program(call);
    CHECK(child.status != 0);
    const json document = json::parse(child.standardOutput, nullptr, false);
    REQUIRE(document.is_object());
    CHECK(document.at("ok") == false);
    CHECK((document.contains("error") || document.contains("files")));
  }
}

TEST_CASE("a document in IR without a kernel is an error", "[app]") {
  const Folder folder;
  const std::string function = "module {\n  tt.func private @f() {\n    tt.return\n  }\n}\n";
  const std::vector<std::pair<const char *, std::string>> documents{
      {"k.ttir", ""},
      {"k.ttir", "// nothing\n"},
      {"k.ttir", "module {\n}\n"},
      {"k.ttir", function},
      {"k.ttgir", ""},
      {"k.ttgir", "module attributes {\"ttg.num-warps\" = 4 : i32} {\n}\n"},
      {"k.mlir", "module {\n  llvm.func @f()\n}\n"},
      {"k.ll", ""},
      {"k.ll", "declare void @f()\n"},
      {"k.ptx", ""},
      {"k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n"},
  };
  for (const auto &[name, text] : documents) {
    INFO(name << ": " << text);
    const std::string file = folder.write(name, text);
    for (const std::vector<std::string> &call :
         {std::vector<std::string>{"check", file},
          {"compile", file},
          {"compile", file, "--emit", "ptx"},
          {"package", file, "-o", (folder.path / "k.tskernel").string()}}) {
      INFO(call[0]);
      const ChildOutput child = program(call);
      CHECK(child.status == 1);
      CHECK(child.standardError.find("error: ") != std::string::npos);
      CHECK(child.standardError.find("crash") == std::string::npos);
    }
  }
}

TEST_CASE("an option that launches do not have is wrong usage", "[app]") {
  const Folder folder;
  const std::string file = folder.write("k.py", "");
  const std::string output = (folder.path / "k.tskernel").string();
  for (const std::vector<std::string> &command : {std::vector<std::string>{"check"},
                                                  {"compile"},
                                                  {"run"},
                                                  {"profile"},
                                                  {"package", "-o", output},
                                                  {"report", "-o", output + ".html"}}) {
    INFO(command[0]);
    const auto said = [&](const char *option) {
      std::vector<std::string> call = command;
      call.insert(call.end(), {file, "--option", option});
      const ChildOutput child = program(call);
      CHECK(child.status == 2);
      return child.standardError;
    };
    CHECK(said("nonsense=1").find("launches have no option `nonsense`") != std::string::npos);
    CHECK(said("num_wraps=4").find("did you mean `num_warps`?") != std::string::npos);
  }
}

TEST_CASE("a missing argument is an error of package and run, at the launch block", "[app]") {
  const Folder folder;
  const std::string file = folder.write(
      "k.py",
      "import triton\nimport triton.language as tl\n\n# /// tilescope\n# grid = [1]\n# ///\n"
      "@triton.jit\ndef k(x_ptr):\n    tl.store(x_ptr, 1.0)\n");
  const std::string expected = file + ":4:1: error: the launch block has no value for the "
                                      "argument `x_ptr`";
  for (const std::vector<std::string> &call :
       {std::vector<std::string>{"run", "--on", "cpu", file},
        {"package", file, "-o", (folder.path / "k.tskernel").string()},
        {"check", file}}) {
    INFO(call[0]);
    const ChildOutput child = program(call);
    CHECK(child.status == 1);
    CHECK(child.standardError.find(expected) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path / "k.tskernel"));
}

TEST_CASE("so it is of documents in IR, whose arguments are known once they are read", "[app]") {
  const Folder folder;
  const std::string block = "// /// tilescope\n// grid = [1]\n// [args]\n"
                            "// x_ptr = { dtype = \"fp32\", shape = [8] }\n// ///\n";
  const std::string ttir = folder.write(
      "k.ttir", block + "module {\n  tt.func public @k(%x_ptr: !tt.ptr<f32>, %eps: f32) {\n"
                        "    tt.store %x_ptr, %eps : !tt.ptr<f32>\n    tt.return\n  }\n}\n");
  const std::string ptx = folder.write(
      "k.ptx", block + ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(\n"
                       ".param .u64 a, .param .f32 b, .param .u64 c, .param .u64 d)\n{\nret;\n}\n");
  for (const auto &[file, name] : {std::pair(ttir, "eps"), std::pair(ptx, "arg1")})
    for (const std::vector<std::string> &call :
         {std::vector<std::string>{"package", file, "-o", (folder.path / "k.tskernel").string()},
          {"run", "--on", "cuda", "--target", "cuda:90", file},
          {"check", file}}) {
      INFO(call[0] << " " << file);
      const ChildOutput child = program(call);
      CHECK(child.status == 1);
      const std::string expected = file +
                                   ":1:1: error: the launch block has no value for the "
                                   "argument `" +
                                   name + "`";
      INFO(child.standardError);
      CHECK(child.standardError.find(expected) != std::string::npos);
    }
  CHECK_FALSE(std::filesystem::exists(folder.path / "k.tskernel"));
  const ChildOutput child = program({"run", "--on", "cpu", ttir});
  CHECK(child.status == 1);
  CHECK(child.standardError.find(ttir + ":1:1: error: the launch block has no value") !=
        std::string::npos);
}

TEST_CASE("nothing is compiled for guesses in place of a broken launch block", "[app]") {
  const Folder folder;
  const std::string file = folder.write(
      "k.py",
      "import triton\nimport triton.language as tl\n\n# /// tilescope\n# grid = [m]\n# ///\n"
      "@triton.jit\ndef k(x_ptr):\n    tl.store(x_ptr, 1.0)\n");
  const ChildOutput child = program({"compile", file, "--emit", "ttir"});
  CHECK(child.status == 1);
  CHECK(child.standardOutput.empty());
}

TEST_CASE("a choice that a file does not have is the command's fault, and all that is said",
          "[app]") {
  const Folder folder;
  const std::string file = folder.write("k.py", tests::kSmallKernel);
  const std::vector<std::string> report{"report", file, "-o", (folder.path / "k.md").string()};
  for (std::vector<std::string> call : {std::vector<std::string>{"compile", file},
                                        {"check", file},
                                        {"run", "--on", "cpu", file},
                                        {"inspect", file},
                                        report}) {
    INFO(call[0]);
    const auto said = [&](const std::vector<std::string> &option) {
      std::vector<std::string> whole = call;
      whole.insert(whole.end(), option.begin(), option.end());
      const ChildOutput child = program(whole);
      CHECK(child.status == 2);
      CHECK(child.standardOutput.empty());
      CHECK(child.standardError.starts_with("tilescope: error: "));
      return child.standardError;
    };
    CHECK(said({"--kernel", "K"}).find("has no kernel `K`\ntilescope: note: did you mean `k`?") !=
          std::string::npos);
    CHECK(said({"--kernel", "other"}).find("it has `k`") != std::string::npos);
    CHECK(said({"--launch", "other"}).find("there is no launch block `other`") !=
          std::string::npos);
    const std::string target = said({"--target", "cuda:95"});
    CHECK(target.find("unknown target `cuda:95`") != std::string::npos);
    CHECK(target.find("`cuda:90`") != std::string::npos);
  }
}

TEST_CASE("a kernel without a launch block is told of beside those that have one", "[app]") {
  const Folder folder;
  std::string text = tests::kSmallKernel;
  text.replace(text.find("# grid"), 0, "# kernel = \"k\"\n");
  text += "\n@triton.jit\ndef other(x_ptr):\n    tl.store(x_ptr, 1.0)\n";
  const std::string file = folder.write("two.py", text);
  const ChildOutput child = program({"run", "--on", "cpu", "--kernel", "other", file});
  CHECK(child.status == 1);
  CHECK(child.standardError.find("does not say how `other` is launched: its launch block is for "
                                 "`k`") != std::string::npos);
}

TEST_CASE("a package is not a source file, and the runner takes it", "[app]") {
  const Folder folder;
  const std::string file = folder.write("k.tskernel", "anything");
  for (const char *command : {"run", "compile", "check", "inspect"}) {
    const ChildOutput child = program({command, file});
    CHECK(child.status == 1);
    CHECK(child.standardError.find("is a kernel package") != std::string::npos);
    CHECK(child.standardError.find("tilescope-runner run " + file) != std::string::npos);
  }
}

TEST_CASE("a model is not a source file, and a command reads it", "[app]") {
  const Folder folder;
  for (const std::string &file : {folder.write("mlp.onnx", std::string("\b\0", 2)),
                                  folder.write("mlp.pt2", std::string("PK\3\4"))})
    for (const char *command : {"run", "compile", "check", "inspect"}) {
      const ChildOutput child = program({command, file});
      CHECK(child.status == 1);
      CHECK(child.standardError.find("is a model, not a source file") != std::string::npos);
      CHECK(child.standardError.find("tilescope model compile " + file + " -o model.py") !=
            std::string::npos);
    }
}

TEST_CASE("all pages of help are one document, and the pages of a word are among them", "[app]") {
  const ChildOutput all = program({"help", "--all", "--json"});
  REQUIRE(all.status == 0);
  const json pages = json::parse(all.standardOutput).at("pages");
  CHECK(pages.size() > 400);
  const json found = json::parse(program({"help", "tl.load", "--json"}).standardOutput).at("pages");
  REQUIRE_FALSE(found.empty());
  for (const json &page : found)
    CHECK(std::ranges::find(pages, page) != pages.end());
}
