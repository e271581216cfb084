// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an editor asks while a text is typed: which names fit, what belongs together, where the next
// line begins.
#include "compiler/syntax/CompletionRanking.h"
#include "compiler/syntax/EditorServices.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler::ast;

/// Splits a text at `|`, which marks the cursor.
struct Marked {
  EditorDocument document;
  Position cursor;
};
static Marked marked(std::string text) {
  const size_t at = text.find('|');
  REQUIRE(at != std::string::npos);
  text.erase(at, 1);
  const auto begin = text.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(at);
  const auto line = static_cast<uint32_t>(std::count(begin, end, '\n'));
  const size_t lineBegin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return {EditorDocument(text), {line, static_cast<uint32_t>(at - lineBegin)}};
}

static std::vector<std::string> namesAt(const std::string &text) {
  const Marked at = marked(text);
  std::vector<std::string> names;
  for (const Completion &item : at.document.complete(at.cursor).items)
    names.push_back(item.text);
  return names;
}

TEST_CASE("a name matches by its beginning, then by the letters of its words", "[compiler]") {
  CHECK(matchQuality("load", "lo") == MatchQuality::Prefix);
  CHECK(matchQuality("BLOCK", "bl") == MatchQuality::PrefixInAnyCase);
  CHECK(matchQuality("BLOCK_M", "bm") == MatchQuality::Letters);
  CHECK(matchQuality("stride_am", "am") == MatchQuality::Letters);
  CHECK(matchQuality("offsets", "set") == MatchQuality::None);
  CHECK(matchQuality("x", "") == MatchQuality::Prefix);
}

TEST_CASE("the example of the ranking holds", "[compiler]") {
  const auto names = namesAt("def kernel(N):\n    num_rows = N\n    x = n|\n");
  REQUIRE(names.size() >= 4);
  CHECK(names[0] == "N");
  CHECK(names[1] == "num_rows");
  const auto position = [&](const char *name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  CHECK(position("not") > 1);
  CHECK(position("None") < static_cast<std::ptrdiff_t>(names.size()));
}

TEST_CASE("keyword arguments are offered where an argument begins", "[compiler]") {
  const std::string head = "import triton.language as tl\n";
  CHECK(namesAt(head + "x = tl.load(p, ma|)").front() == "mask=");
  const auto within = namesAt(head + "x = tl.load(p + ma|)");
  CHECK(std::find(within.begin(), within.end(), "mask=") == within.end());
}

TEST_CASE("nothing is offered where a name is invented", "[compiler]") {
  for (const char *text :
       {"def pr|", "class pr|", "for pr|", "import triton as pr|", "f = lambda pr|", "def f(pr|",
        "def f(a, pr|):\n    pass", "def f(a: int = (1), *pr|"}) {
    INFO(text);
    CHECK(namesAt(text).empty());
  }
  for (const char *text :
       {"x = pr|", "f(pr|", "def f(a=pr|", "def f(a: pr|", "def f(a):\n    g(pr|"}) {
    INFO(text);
    CHECK_FALSE(namesAt(text).empty());
  }
}

TEST_CASE("imports offer what the module has", "[compiler]") {
  const auto names = namesAt("from triton.language import prog|");
  REQUIRE_FALSE(names.empty());
  CHECK(names[0] == "program_id");
}

TEST_CASE("one name goes on only where the list is complete", "[compiler]") {
  auto onlyOne = [](const std::string &text) {
    const Marked at = marked("import triton.language as tl\n" + text);
    return at.document.complete(at.cursor).onlyOneContinues;
  };
  CHECK(onlyOne("tl.program_|"));
  // A name as it stands, several names, a value, a plain word.
  CHECK_FALSE(onlyOne("tl.program_id|"));
  CHECK_FALSE(onlyOne("tl.lo|"));
  CHECK_FALSE(onlyOne("tl.|"));
  CHECK_FALSE(onlyOne("def f(x):\n    x.su|"));
  CHECK_FALSE(onlyOne("def f(alpha):\n    al|"));
}

TEST_CASE("comments and strings are text, also while they are open", "[compiler]") {
  for (const char *text : {"x = 'a|b'", "x = 'ab|", "x = '''a\n|b'''", "x = f'a|'", "x = f'|",
                           "# a|", "x = 1  # a|", "x = '''a|"}) {
    INFO(text);
    const Marked at = marked(text);
    CHECK(at.document.isInsideText(at.cursor));
  }
  for (const char *text : {"x = 'ab'|", "x = |'ab'", "x = f'{a|}'", "x|", "|# a", "x = ''|"}) {
    INFO(text);
    const Marked at = marked(text);
    CHECK_FALSE(at.document.isInsideText(at.cursor));
  }
}

TEST_CASE("brackets and strings join lines to a statement", "[compiler]") {
  EditorDocument document("a = 1\nb = f(\n    [1,\n     2],\n)\nc = '''x\ny'''\nd = (\ne = 2\n");
  auto lines = [&](uint32_t line) {
    const SourceRange range = document.statementLines(line);
    return std::pair(range.begin.line, range.end.line);
  };
  CHECK(lines(0) == std::pair(0u, 1u));
  CHECK(lines(1) == std::pair(1u, 5u));
  CHECK(lines(3) == std::pair(1u, 5u));
  CHECK(lines(6) == std::pair(5u, 7u));
  // A bracket that is still open joins no lines.
  CHECK(lines(7) == std::pair(7u, 8u));
  CHECK(lines(8) == std::pair(8u, 9u));
}

TEST_CASE("Enter indents as the statement asks for", "[compiler]") {
  auto below = [](const std::string &text) {
    const Marked at = marked(text);
    return at.document.indentationBelow(at.cursor);
  };
  CHECK(below("x = 1|") == 0);
  CHECK(below("def f(x):|") == 4);
  CHECK(below("def f(x):  # why|") == 4);
  CHECK(below("# note:|") == 0);
  CHECK(below("    x = 1|") == 4);
  CHECK(below("def f():\n    return 1|") == 0);
  CHECK(below("def f():\n    if x:\n        pass|") == 4);
  CHECK(below("def f(|)") == 4);
  CHECK(below("def f(\n    a,|") == 4);
  CHECK(below("def f(\n    a,\n):|") == 4);
  CHECK(below("x = f(a,|)") == 6);
  CHECK(below("x = f(a,\n      b)|") == 0);
  CHECK(below("def f():\n    return g(a,|)") == 13);
  CHECK(below("def f():\n    return g(a,\n             b)|") == 0);
  CHECK(below("x = '''a:|\n'''") == 0);
  CHECK(below("  |  x = 1") == 2);
}

TEST_CASE("a dotted name is read up to the part at the cursor", "[compiler]") {
  EditorDocument document("x = tl.math.exp(y)\n");
  CHECK(document.dottedNameAt({0, 4}) == "tl");
  CHECK(document.dottedNameAt({0, 8}) == "tl.math");
  CHECK(document.dottedNameAt({0, 13}) == "tl.math.exp");
  CHECK(document.dottedNameAt({0, 3}).empty());
  CHECK(document.dottedNameAt({7, 0}).empty());
}

TEST_CASE("every part of a name explains the whole", "[compiler]") {
  EditorDocument document("import triton.language as tl\nx = tl.load(p)\n");
  for (const uint32_t column : {4u, 5u, 6u, 7u, 10u}) {
    const auto info = document.hover({1, column});
    REQUIRE(info);
    CHECK(info->signature.starts_with("tl.load("));
  }
}

TEST_CASE("plain functions are explained like kernels", "[compiler]") {
  const std::string text = "def launch(a, /, b: int = 2, *rest, c, d=4, **more):\n"
                           "    \"\"\"Starts it.\"\"\"\n\n\nlaunch(1, |)\n";
  const Marked at = marked(text);
  const auto help = at.document.signatureHelp(at.cursor);
  REQUIRE(help);
  CHECK(help->signature == "launch(a, b: int = 2, *rest, c, d=4, **more)");
  CHECK(help->doc == "Starts it.");
  CHECK(help->activeParameter == 1);
}

TEST_CASE("lines of a launch block are told from comments", "[compiler]") {
  EditorDocument document("# one\n# /// tilescope\n# [sizes]\n# n = 4\n# ///\n# two\n");
  std::vector<TokenClass> classes;
  for (const ClassifiedToken &token : document.classifyTokens())
    classes.push_back(token.tokenClass);
  using enum TokenClass;
  CHECK(classes == std::vector{Comment, LaunchMark, LaunchMark, LaunchSection, LaunchMark,
                               LaunchKey, LaunchMark, LaunchValue, LaunchMark, Comment});
}

/// Everything that an editor asks at a key.
static void askEverything(const std::string &text) {
  const EditorDocument document(text);
  const auto lastLine = static_cast<uint32_t>(document.tree().lineOffsets.size() - 1);
  const Position end{lastLine,
                     static_cast<uint32_t>(text.size()) - document.tree().lineOffsets.back()};
  const auto tokens = document.classifyTokens();
  CHECK(std::is_sorted(tokens.begin(), tokens.end(),
                       [](const auto &a, const auto &b) { return a.range.end <= b.range.begin; }));
  document.foldingRanges();
  document.complete(end);
  document.signatureHelp(end);
  document.hover({0, 0});
  document.statementLines(lastLine);
  document.indentationBelow(end);
}

static std::string repeated(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST_CASE("long chains and deep nesting are borne", "[compiler]") {
  constexpr int kMany = 20000;
  askEverything("x = 1" + repeated(" + 1", kMany));
  askEverything("x = a" + repeated(".a", kMany));
  askEverything("x = a" + repeated("[0]", kMany));
  askEverything("x = a" + repeated("()", kMany));
  askEverything("x = " + repeated("(", kMany));
  askEverything("x = " + repeated("not ", kMany) + "a");
  askEverything("x = " + repeated("-", kMany) + "a");
  askEverything("x = 1" + repeated(" if a else 1", kMany));
  askEverything("x = " + repeated("lambda: ", kMany) + "1");
  askEverything("if a:\n    pass\n" + repeated("elif a:\n    pass\n", kMany));
  askEverything("x = 1" + repeated(" ** 1", kMany));
  askEverything("x = " + repeated("a = ", kMany) + "1");
  askEverything("x = f" + repeated("'{f", 100));
}
