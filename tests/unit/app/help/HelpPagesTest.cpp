// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/help/HelpPages.h"

#include "app/help/HelpTexts.h"
#include "app/help/OperationPages.h"
#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayReductions.h"
#include "compiler/artifacts/DiagnosticKind.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/syntax/LanguageReference.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Metric.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace tilescope;
using namespace tilescope::app;

static const HelpPage *pageOf(const std::vector<HelpPage> &pages, std::string_view section,
                              std::string_view topic) {
  const auto found = std::ranges::find_if(
      pages, [&](const HelpPage &page) { return page.section == section && page.topic == topic; });
  return found == pages.end() ? nullptr : &*found;
}

TEST_CASE("Everything that the program names has a page") {
  const std::vector<HelpPage> pages = helpPages();
  for (const compiler::ast::ReferenceEntry &entry : compiler::ast::languageReference()) {
    INFO(entry.path);
    CHECK_FALSE(findHelp(pages, entry.name()).empty());
    CHECK(std::ranges::any_of(pages, [&](const HelpPage &page) {
      return page.section == "Language" &&
             (page.topic.ends_with(entry.name()) || page.topic == "tl") &&
             page.text.starts_with(entry.doc);
    }));
  }
  for (int kind = 0; kind < compiler::kNumHintKinds; ++kind) {
    const std::string id(compiler::hintId(static_cast<compiler::HintKind>(kind)));
    INFO(id);
    CHECK(pageOf(pages, "Hints", id));
  }
  for (int kind = 0; kind < compiler::kNumDiagnosticKinds; ++kind) {
    const std::string id(compiler::diagnosticId(static_cast<compiler::DiagnosticKind>(kind)));
    INFO(id);
    REQUIRE(pageOf(pages, "Problems", id));
    // Why it is one comes first.
    CHECK_FALSE(explanationOf(id).empty());
    CHECK(pageOf(pages, "Problems", id)->text.starts_with(explanationOf(id)));
  }
  for (const profiler::Metric &metric : profiler::metricTable()) {
    INFO(metric.id);
    const HelpPage *page = pageOf(pages, "Counters", metric.id);
    REQUIRE(page);
    CHECK(page->text.find(metric.name) != std::string::npos);
  }
}

TEST_CASE("The words of a verdict have a page", "[help]") {
  const std::vector<HelpPage> pages = helpPages();
  for (const char *word : {"tolerance", "atol", "rtol", "Tolerance"}) {
    INFO(word);
    const std::vector<const HelpPage *> found = findHelp(pages, word);
    REQUIRE(found.size() == 1);
    CHECK(found[0]->text.find("`atol + rtol × |expected|`") != std::string::npos);
  }
}

TEST_CASE("Everything that `expected` knows is on its page", "[help]") {
  const std::vector<HelpPage> pages = helpPages();
  const std::vector<const HelpPage *> found = findHelp(pages, "expected");
  REQUIRE(found.size() == 1);
  const std::string &text = found[0]->text;
  const std::string names = arrayFunctionNames() + ", " + reductionNames() + ", " + joinNames() +
                            ", " + axesFunctionNames() + ", matmul, max, min";
  size_t numNames = 0;
  for (size_t begin = 0; begin < names.size(); ++numNames) {
    const size_t end = std::min(names.find(", ", begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    INFO(name);
    CHECK((text.find("`" + name + "`") != std::string::npos ||
           text.find("`" + name + "(") != std::string::npos));
    begin = end + 2;
  }
  CHECK(numNames > 45);
  CHECK(text.find("*Tolerance*") != std::string::npos);
}

TEST_CASE("A topic has one page in a section, and every page says something") {
  std::set<std::pair<std::string, std::string>> seen;
  for (const HelpPage &page : helpPages()) {
    INFO(page.section << ": " << page.topic);
    CHECK(seen.emplace(page.section, page.topic).second);
    CHECK(page.text.size() > 10);
  }
}

TEST_CASE("Every diagnostic that a kernel alone can show has an example") {
  size_t numExamples = 0;
  for (int kind = 0; kind < compiler::kNumDiagnosticKinds; ++kind) {
    const std::string id(compiler::diagnosticId(static_cast<compiler::DiagnosticKind>(kind)));
    numExamples += std::ranges::any_of(diagnosticExamples(), [&](const auto &example) {
      return example.first.substr(0, example.first.rfind('.')) == id;
    });
  }
  CHECK(numExamples == compiler::kNumDiagnosticKinds - 2);
}

TEST_CASE("Examples of diagnostics are kernels, with comments at their places", "[help]") {
  int numMarks = 0;
  for (const HelpPage &page : helpPages()) {
    INFO(page.topic);
    if (page.section != "Problems")
      continue;
    CHECK(page.text.find("#|") == std::string::npos);
    CHECK(page.text.find("set constexpr") == std::string::npos);
    numMarks += page.text.find("\n# ") != std::string::npos;
  }
  CHECK(numMarks > 20);
}

TEST_CASE("Examples of functions are code that begins with what its page is about", "[help]") {
  const std::vector<HelpPage> pages = helpPages();
  const std::vector<HelpPage> examples = pagesOfText(kFunctionExamples);
  CHECK(examples.size() > 20);
  for (const HelpPage &example : examples) {
    INFO(example.topic);
    const HelpPage *page = pageOf(pages, "Language", example.topic);
    REQUIRE(page);
    CHECK(page->text.ends_with("For example:\n\n" + example.text));
    constexpr std::string_view kBegin = "```python\n", kEnd = "```\n";
    REQUIRE(example.text.starts_with(kBegin));
    REQUIRE(example.text.ends_with(kEnd));
    const std::string code =
        example.text.substr(kBegin.size(), example.text.size() - kBegin.size() - kEnd.size());
    CHECK(compiler::ast::parseModule(code)->diagnostics.empty());
    CHECK(code.find(example.topic) < code.find('\n'));
  }
}

TEST_CASE("A word finds the page of its topic before those that mention it") {
  const std::vector<HelpPage> pages = helpPages();
  CHECK(findHelp(pages, "tl.load").front()->topic == "tl.load");
  CHECK(findHelp(pages, "LOAD").front()->topic == "tl.load");
  CHECK(findHelp(pages, "runtime-divisor").front()->section == "Hints");
  CHECK(findHelp(pages, "dram_read").front()->section == "Counters");
  CHECK(findHelp(pages, "TTGIR").front()->text.find("layout") != std::string::npos);
  CHECK(findHelp(pages, "no such word at all").empty());
  CHECK(findHelp(pages, "").empty());
}

TEST_CASE("Pages are cut out of texts and tables") {
  const std::vector<HelpPage> text =
      pagesOfText("# A\n\n### One\nFirst.\n\nMore.\n\n# B\n### Two\nX\n");
  REQUIRE(text.size() == 2);
  CHECK(text[0].section == "A");
  CHECK(text[0].text == "First.\n\nMore.\n");
  CHECK(text[1].topic == "Two");
  const std::vector<HelpPage> table =
      pagesOfTable("words\n\n| kind | means | do |\n| --- | --- | --- |\n| `a-b` | x \\| y | z "
                   "|\n\n| `no` | n | n |\n",
                   "T");
  REQUIRE(table.size() == 1);
  CHECK(table[0].topic == "a-b");
  CHECK(table[0].text == "x | y.\n\n**do**: z.\n");
}

TEST_CASE("Operations of the IR have the words of their definitions") {
  const std::vector<HelpPage> cut = pagesOfOperations(
      "#endif\n\ndef TT_AOp : TT_Op<\"a\", [Pure]> {\n  let summary = \"one thing\";\n"
      "  let description = [{\n    More of it.\n\n    `tt.a %x`\n  }];\n}\n\n"
      "def TTG_BOp : TTG_Op<\"b.c\"> {\n  let summary = \"another\";\n"
      "  let description = \"`ttg.b.c`\";\n}\n\nclass TT_Op<string x> {}\n");
  REQUIRE(cut.size() == 2);
  CHECK(cut[0].topic == "tt.a");
  CHECK(cut[0].text == "One thing.\n\nMore of it.\n\n`tt.a %x`\n");
  CHECK(cut[1].topic == "ttg.b.c");
  const std::vector<HelpPage> pages = helpPages();
  for (const char *name : {"tt.load", "tt.reduce", "tt.make_range", "ttg.convert_layout",
                           "ttg.local_alloc", "ttng.warp_group_dot"}) {
    INFO(name);
    CHECK(pageOf(pages, "Operations of the IR", name));
  }
}

TEST_CASE("A search finds topics before texts, and each word of several") {
  const std::vector<HelpPage> pages{{"A", "Bank conflict", "Two at once."},
                                    {"A", "Lane", "One of 32; a bank is another thing."},
                                    {"Language", "tl.bank", "x"},
                                    {"A", "Data bank", "x"}};
  const auto topics = [&](std::string_view words) {
    std::vector<std::string> found;
    for (const auto &[fit, page] : searchHelp(pages, words))
      found.push_back(page->topic);
    return found;
  };
  CHECK(topics("bank") ==
        std::vector<std::string>{"tl.bank", "Bank conflict", "Data bank", "Lane"});
  CHECK(topics("bank lane") == std::vector<std::string>{"Lane"});
  CHECK(topics("").empty());
}

TEST_CASE("Words of columns have a page each, and layouts that of their definition", "[help]") {
  const std::vector<HelpPage> cut =
      pagesOfWords("# I\n### add, sub (PTX)\nBoth.\n\n### NOP\nNothing.\n");
  REQUIRE(cut.size() == 3);
  CHECK(cut[0].topic == "add (PTX)");
  CHECK(cut[1].topic == "sub (PTX)");
  CHECK(cut[1].text == "Both.\n");
  CHECK(cut[1].section == "I");
  CHECK(cut[2].topic == "NOP");
  const std::vector<HelpPage> layouts = pagesOfLayouts(
      "class C {}\n\ndef TTG_AEncoding : TTG_Encoding<\"A\", \"a\"> {\n  let summary = \"one\";\n"
      "  let description = \"`#ttg.a`\";\n}\n\ndef TT_BOp : TT_Op<\"b\", [Pure]> {\n"
      "  let summary = \"no layout\";\n}\n");
  REQUIRE(layouts.size() == 1);
  CHECK(layouts[0].topic == "#ttg.a");
  CHECK(layouts[0].text == "One.\n\n`#ttg.a`\n");

  const std::vector<HelpPage> pages = helpPages();
  for (const char *name :
       {"#ttg.blocked", "#ttg.slice", "#ttg.dot_op", "#ttg.nvidia_mma", "#ttg.swizzled_shared",
        "#ttg.nvmma_shared", "#ttg.shared_memory", "#ttng.tensor_memory_encoding"}) {
    INFO(name);
    CHECK(pageOf(pages, "Layouts", name));
  }
  CHECK(findHelp(pages, "swizzled_shared").front()->topic == "#ttg.swizzled_shared");
  CHECK(findHelp(pages, "MUFU").front()->section == "Instructions");
  // A function of the language comes before an instruction of that name.
  CHECK(findHelp(pages, "max").front()->topic == "tl.max");
  CHECK(findHelp(pages, "load").front()->topic == "tl.load");
}
