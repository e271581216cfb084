// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SuggestedBlock.h"

#include "app/launch/GuessedAgain.h"
#include "app/launch/GuessedLaunch.h"
#include "app/launch/ResolveLaunch.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace tilescope;
using namespace tilescope::app;
using compiler::CompileResult;
using profiler::LaunchArgument;
using profiler::LaunchBlock;

static CompileResult normalization() {
  CompileResult result;
  result.kernel = "rms";
  result.signature = {{"x", "*fp32:16"}, {"w", "*fp32:16"}, {"ids", "*i64:16"},  {"o", "*fp16:16"},
                      {"n", "i32:16"},   {"eps", "fp32"},   {"stride", "i32:16"}};
  for (const char *name : {"x", "w", "ids", "o", "n", "eps", "stride"})
    result.metadata.parameters.push_back({name, result.signature.at(name)});
  result.constexprs = {{"BLOCK", "512"}};
  result.suggestion.sizes = {{"n", 304}, {"n_rows", 208}};
  result.suggestion.tensors = {{"x", {{"n_rows", "n"}, false, true, false, ""}},
                               {"w", {{"n_entries", "n"}, true, true, false, ""}},
                               {"ids", {{"n_rows"}, false, true, false, "n_entries"}},
                               {"o", {{"n_rows", "n"}, false, false, true, ""}}};
  result.suggestion.integers = {{"n", "n"}, {"stride", "n"}};
  result.suggestion.grid = {"n_rows"};
  return result;
}

static const LaunchArgument &argument(const LaunchBlock &block, const std::string &name) {
  for (const LaunchArgument &each : block.args)
    if (each.name == name)
      return each;
  FAIL("no argument " << name);
  return block.args.front();
}

TEST_CASE("tensors that are read differ, and what is only written holds nothing", "[launch]") {
  const LaunchBlock block = suggestedBlock(normalization());
  std::set<std::string> seeds;
  for (const char *name : {"x", "w", "ids"}) {
    REQUIRE(argument(block, name).initOptions.size() >= 1);
    CHECK(argument(block, name).initOptions[0].name == "seed");
    seeds.insert(argument(block, name).initOptions[0].value.text);
  }
  CHECK(seeds.size() == 3);
  CHECK(argument(block, "x").init.text == "randn");
  CHECK(argument(block, "o").init.text == "empty");
  // Indices stay inside of what they look up.
  CHECK(argument(block, "ids").init.text == "randint");
  CHECK(argument(block, "ids").initOptions[1].value.text == "n_entries");
}

TEST_CASE("indices that say where groups begin ascend to the end of what they index", "[launch]") {
  CompileResult result = normalization();
  result.suggestion.tensors.at("ids").isAscending = true;
  const LaunchBlock block = suggestedBlock(result);
  CHECK(argument(block, "ids").init.text == "offsets");
  CHECK(argument(block, "ids").initOptions[1].name == "high");
  CHECK(argument(block, "ids").initOptions[1].value.text == "n_entries");
}

TEST_CASE("indices that are all different are those of all elements, backwards", "[launch]") {
  CompileResult result = normalization();
  result.suggestion.tensors.at("ids").isAscending = true;
  result.suggestion.tensors.at("ids").indicesBelow.clear();
  const LaunchBlock block = suggestedBlock(result);
  CHECK(argument(block, "ids").init.text == "arange");
  REQUIRE(argument(block, "ids").initOptions.size() == 2);
  CHECK(argument(block, "ids").initOptions[0].value.text == "n_rows - 1");
  CHECK(argument(block, "ids").initOptions[1].value.text == "-1");
}

TEST_CASE("numbers are those that arguments of such a name have", "[launch]") {
  const LaunchBlock block = suggestedBlock(normalization());
  CHECK(argument(block, "eps").value.text == "0.01");
  CHECK(argument(block, "n").value.text == "n");
  CHECK(argument(block, "stride").value.text == "n");
  CHECK(block.sizes.front().name == "n");
  // Bounds leave some of what lies around 0 as it is.
  int seed = 0;
  const auto real = compiler::SignatureType(compiler::ScalarKind::Fp32);
  CHECK(suggestedArgument("lo", real, {}, seed)->value.text == "-0.5");
  CHECK(suggestedArgument("hi", real, {}, seed)->value.text == "0.5");
  CHECK(suggestedArgument("clip_max", real, {}, seed)->value.text == "0.5");
  // Others differ, so that arguments that are mixed up are seen, and a factor is never 1.
  const std::string a = suggestedArgument("a", real, {}, seed)->value.text;
  const std::string b = suggestedArgument("b", real, {}, seed)->value.text;
  CHECK(a != b);
  for (const std::string &each : {a, b})
    CHECK(std::stod(each) * std::stod(each) != std::stod(each));
}

TEST_CASE("a constexpr that is a type has its name in the language", "[launch]") {
  CompileResult result = normalization();
  result.constexprs["TYPE"] = "bf16";
  const LaunchBlock block = suggestedBlock(result);
  const auto type = std::ranges::find(block.constexprs, "TYPE", &profiler::LaunchEntry::name);
  REQUIRE(type != block.constexprs.end());
  CHECK(type->value.text == "tl.bfloat16");
}

TEST_CASE("a block goes in front of its kernel and leaves the others as they are", "[launch]") {
  const std::string text = "import triton\n\n"
                           "# /// tilescope\n# kernel = \"first\"\n# grid = [1]\n# ///\n"
                           "@triton.jit\ndef first(x):\n    pass\n\n\n"
                           "@triton.jit\ndef rms(x):\n    pass\n";
  const std::string edited =
      insertBlock(text, compiler::StageId::Ast, suggestedBlock(normalization()));
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(edited);
  CHECK(blocks.problems.empty());
  REQUIRE(blocks.blocks.size() == 2);
  CHECK(blocks.blocks[0].kernel == "first");
  CHECK(blocks.blocks[1].kernel == "rms");
  CHECK(edited.find("# ///\n\n\n@triton.jit\ndef rms(x)") != std::string::npos);
  CHECK(edited.starts_with(text.substr(0, text.find("@triton.jit\ndef rms"))));
}

TEST_CASE("a guessed shape is marked, and casts doubt on accesses outside of it", "[launch]") {
  CompileResult result = normalization();
  result.suggestion.sizes.push_back({"n_entries", 10});
  const std::string text = profiler::formatLaunchBlock(suggestedBlock(result));
  INFO(text);
  CHECK(text.find("shape = [\"n_entries\", \"n\"], init = \"randn\", seed = 1, guessed = true }") !=
        std::string::npos);
  CHECK(text.find("shape = [\"n_rows\", \"n\"], init = \"randn\", seed = 0 }") !=
        std::string::npos);
  compiler::CompileRequest request;
  request.text = text;
  const ResolvedLaunch launch = resolveLaunch(request);
  REQUIRE(launch.plan);
  CHECK(launch.plan->argument("w")->tensor()->isGuess);
  const auto again = profiler::launchPlanFromJson(profiler::launchPlanToJson(*launch.plan));
  REQUIRE(again);
  CHECK(*again == *launch.plan);

  std::vector<compiler::Diagnostic> findings(4);
  for (compiler::Diagnostic &finding : findings)
    finding.kind = compiler::DiagnosticKind::RunAccessOutside;
  // A negative index is one for any shape.
  findings[3].cause.subject = "w";
  findings[3].range = {{5, 4}, {5, 20}, 0};
  findings[2].kind = compiler::DiagnosticKind::RunWriteRace;
  findings[2].cause.subject = "w";
  findings[0].cause.subject = "w";
  // The words do not matter.
  findings[1].message = "load of `w` outside of its tensor";
  findings[1].cause.subject = "x";
  doubtGuesses(*again, {}, findings, {findings[3].range});
  CHECK(findings[0].severity == compiler::Severity::Warning);
  REQUIRE(findings[0].notes.size() == 1);
  CHECK(findings[0].notes[0].find("guesses the shape of `w`") != std::string::npos);
  // Without the block, the same one would be written.
  CHECK(findings[0].notes[0].find("delete") == std::string::npos);
  CHECK(findings[1].severity == compiler::Severity::Error);
  CHECK(findings[1].notes.empty());
  REQUIRE(findings[2].notes.size() == 1);
  CHECK(findings[2].notes[0].starts_with("the indices in `ids` are random: they repeat"));
  CHECK(findings[3].severity == compiler::Severity::Error);
  CHECK(findings[3].notes.empty());
  // Nor do programs write to other elements of a vector where it is longer.
  profiler::LaunchPlan vector;
  profiler::PlanTensor tensor;
  tensor.shape = {100};
  tensor.isGuess = true;
  vector.args = {{"w", tensor}};
  findings = {findings[2]};
  findings[0].notes.clear();
  doubtGuesses(vector, {}, findings);
  CHECK(findings[0].notes.empty());
  // Random indices of its elements repeat, whatever shape and grid are.
  profiler::PlanTensor indices = tensor;
  indices.dtype = profiler::Dtype::Int64;
  indices.init.kind = profiler::TensorInit::Kind::Randint;
  indices.init.high = 100;
  vector.args.push_back({"places", indices});
  vector.isGridGuess = true;
  doubtGuesses(vector, {}, findings);
  REQUIRE(findings[0].notes.size() == 1);
  CHECK(findings[0].notes[0].starts_with("the launch block guesses the indices in `places`: they "
                                         "repeat, so that programs write to the same elements of "
                                         "`w`"));
  // Those that are not marked do so, too.
  std::get<profiler::PlanTensor>(vector.args[1].value).isGuess = false;
  std::get<profiler::PlanTensor>(vector.args[0].value).shape = {100, 8};
  vector.isGridGuess = false;
  findings[0].notes.clear();
  doubtGuesses(vector, {}, findings);
  REQUIRE(findings[0].notes.size() == 1);
  CHECK(findings[0].notes[0] ==
        "the indices in `places` are random: they repeat, so that programs write to the same "
        "elements of `w`; where yours do not, write them, or a file with them, into the launch "
        "block");
}

TEST_CASE("findings under a block that nobody has changed are in doubt", "[launch]") {
  const CompileResult result = normalization();
  LaunchBlock block = suggestedBlock(result);
  CHECK(isAsSuggested(block, result.suggestion));
  block.sizes.front().value.text = "100";
  CHECK_FALSE(isAsSuggested(block, result.suggestion));
  block = suggestedBlock(result);
  block.args.front().shape.front().text = "100";
  CHECK_FALSE(isAsSuggested(block, result.suggestion));

  std::vector<compiler::Diagnostic> findings(3);
  findings[0].kind = findings[1].kind = compiler::DiagnosticKind::RunAccessOutside;
  findings[1].range = {{5, 4}, {5, 20}, 0};
  findings[2].kind = compiler::DiagnosticKind::RunAssertFailed;
  doubtUnedited(findings, {findings[1].range});
  CHECK(findings[0].severity == compiler::Severity::Warning);
  CHECK(findings[0].notes.size() == 1);
  // No size makes a negative index one of an element.
  CHECK(findings[1].severity == compiler::Severity::Error);
  CHECK(findings[2].severity == compiler::Severity::Error);
}

TEST_CASE("a grid is a guess where no tensor goes as far, or blocks have no end", "[launch]") {
  compiler::SuggestedLaunch launch = normalization().suggestion;
  CHECK_FALSE(isGuessedGrid(launch, {}));
  launch.grid = {"cdiv(n, BLOCK)"};
  CHECK_FALSE(isGuessedGrid(launch, {}));
  launch.grid = {"cdiv(n_rows, BLOCK)"};
  CHECK(isGuessedGrid(launch, {}));
  launch.sizes.push_back({"n_heads", 2});
  launch.integers["n_heads"] = "n_heads";
  launch.grid = {"n_rows", "n_heads"};
  CHECK(isGuessedGrid(launch, {}));
}

TEST_CASE("a grid that names a constexpr is a guess where others have its value", "[launch]") {
  compiler::SuggestedLaunch launch = normalization().suggestion;
  launch.grid = {"cdiv(n, BLOCK)", "SPLIT"};
  CHECK_FALSE(isGuessedGrid(launch, {{"BLOCK", "64"}, {"SPLIT", "2"}}));
  // The block's side is named, so it is no candidate.
  CHECK_FALSE(isGuessedGrid(launch, {{"BLOCK", "2"}, {"SPLIT", "2"}}));
  CHECK(isGuessedGrid(launch, {{"BLOCK", "64"}, {"DEPTH", "2"}, {"SPLIT", "2"}}));
  CHECK(isGuessedGrid(launch, {{"BLOCK", "64"}, {"SPLIT", "1"}}));
}

TEST_CASE("a guessed grid is marked, and casts doubt on accesses outside of any tensor",
          "[launch]") {
  CompileResult result = normalization();
  result.suggestion.sizes.push_back({"n_entries", 10});
  result.suggestion.grid = {"cdiv(n_rows, BLOCK)"};
  const std::string text = profiler::formatLaunchBlock(suggestedBlock(result));
  CHECK(text.find("# grid = [\"cdiv(n_rows, BLOCK)\"]\n# guessed = true\n") != std::string::npos);
  compiler::CompileRequest request;
  request.text = text;
  const ResolvedLaunch launch = resolveLaunch(request);
  REQUIRE(launch.plan);
  CHECK(launch.plan->isGridGuess);
  const auto again = profiler::launchPlanFromJson(profiler::launchPlanToJson(*launch.plan));
  REQUIRE(again);
  CHECK(*again == *launch.plan);

  std::vector<compiler::Diagnostic> findings(4);
  findings[0].kind = compiler::DiagnosticKind::RunAccessOutside;
  findings[0].cause.subject = "x";
  findings[2].kind = compiler::DiagnosticKind::RunWriteRace;
  findings[3].kind = compiler::DiagnosticKind::RunMismatch;
  findings[1].kind = compiler::DiagnosticKind::RunAssertFailed;
  doubtGuesses(*again, {}, findings);
  CHECK(findings[0].severity == compiler::Severity::Warning);
  REQUIRE(findings[0].notes.size() == 1);
  CHECK(findings[0].notes[0].find("guesses `grid`") != std::string::npos);
  CHECK(findings[1].severity == compiler::Severity::Error);
  CHECK(findings[1].notes.empty());
  for (const auto &[finding, doubt] :
       {std::pair(findings[2], "too many programs"), std::pair(findings[3], "too few programs")}) {
    REQUIRE(finding.notes.size() == 1);
    CHECK(finding.notes[0].find(doubt) != std::string::npos);
  }

  // Stating it confirms it.
  const auto edited =
      profiler::editLaunchBlock(text, 0, {{{"grid"}, "[3]"}, {{"guessed"}, std::nullopt}});
  REQUIRE(edited);
  CHECK(edited->find("# grid = [3]\n# [sizes]") != std::string::npos);
}
