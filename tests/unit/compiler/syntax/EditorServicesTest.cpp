// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/EditorServices.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <thread>

using namespace tilescope;
using namespace tilescope::compiler::ast;

static const std::string kKernel = R"(import triton
import triton.language as tl
from triton.language.extra import libdevice

FACTOR = tl.constexpr(2)


@triton.jit
def helper(value, scale: tl.constexpr = 2):
    """Scales a value."""
    return value * scale


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # Nothing outside is touched.
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    x = helper(libdevice.tanh(x), FACTOR)
    tl.store(x_ptr + offsets, x.to(tl.float16), mask=offsets < n)
)";

/// Splits a text at `|`, which marks the cursor.
struct Marked {
  EditorDocument document;
  Position cursor;
};
static Marked marked(std::string text) {
  size_t at = text.find('|');
  REQUIRE(at != std::string::npos);
  text.erase(at, 1);
  Position cursor;
  for (size_t i = 0; i < at; ++i) {
    cursor.column = text[i] == '\n' ? 0 : cursor.column + 1;
    cursor.line += text[i] == '\n';
  }
  return {EditorDocument(text), cursor};
}

/// The position of the n-th occurrence of a word.
static Position find(const std::string &text, const std::string &word, int n = 0) {
  size_t at = text.find(word);
  while (n-- > 0)
    at = text.find(word, at + 1);
  REQUIRE(at != std::string::npos);
  auto line = static_cast<uint32_t>(std::count(text.begin(), text.begin() + at, '\n'));
  size_t lineBegin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return {line, static_cast<uint32_t>(at - lineBegin)};
}

static const Completion *findItem(const CompletionList &list, std::string_view text) {
  for (const Completion &item : list.items)
    if (item.text == text)
      return &item;
  return nullptr;
}

TEST_CASE("a part of a document is made once, and shared by copies and threads", "[syntax]") {
  const OnDemand<std::string> part;
  const OnDemand<std::string> copy = part;
  std::atomic<int> numMade = 0;
  std::vector<const std::string *> got(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < got.size(); ++i)
    threads.emplace_back(
        [&, i] { got[i] = &(i % 2 ? part : copy).get([&] { return std::to_string(++numMade); }); });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(numMade == 1);
  for (const std::string *each : got)
    CHECK(each == got.front());
  CHECK(*got.front() == "1");
}

TEST_CASE("tokens follow each other where a bracket is left open around an f-string",
          "[compiler]") {
  Position last;
  for (const ClassifiedToken &token : EditorDocument("{;f\"{\n:#").classifyTokens()) {
    CHECK(last <= token.range.begin);
    last = token.range.end;
  }
}

TEST_CASE("tokens are classified by what they mean in the kernel", "[compiler]") {
  EditorDocument document(kKernel);
  std::map<Position, TokenClass> classes;
  for (const ClassifiedToken &token : document.classifyTokens())
    classes[token.range.begin] = token.tokenClass;
  auto classOf = [&](const std::string &word, int n = 0) {
    return classes.at(find(kKernel, word, n));
  };
  CHECK(classOf("import") == TokenClass::Keyword);
  CHECK(classOf("tl.program_id") == TokenClass::LanguageModule);
  CHECK(classOf("program_id") == TokenClass::LanguageFunction);
  CHECK(classOf("float16") == TokenClass::LanguageType);
  CHECK(classOf("tanh") == TokenClass::LanguageFunction);
  CHECK(classOf("libdevice.tanh") == TokenClass::LanguageModule);
  CHECK(classOf("x_ptr") == TokenClass::KernelArgument);
  CHECK(classOf("x_ptr + offsets, x") == TokenClass::KernelArgument);
  CHECK(classOf("BLOCK: tl") == TokenClass::Constexpr);
  CHECK(classOf("BLOCK + tl") == TokenClass::Constexpr);
  CHECK(classOf("FACTOR)") == TokenClass::Constexpr);
  CHECK(classOf("offsets =") == TokenClass::Identifier);
  CHECK(classOf("helper(value") == TokenClass::KernelName);
  CHECK(classOf("helper(libdevice") == TokenClass::KernelName);
  CHECK(classOf("jit") == TokenClass::Decorator);
  CHECK(classOf("# Nothing") == TokenClass::Comment);
  CHECK(classOf("\"\"\"Scales") == TokenClass::String);
  CHECK(classOf("0)") == TokenClass::Number);
}

TEST_CASE("`match` is a keyword only where it is one", "[compiler]") {
  EditorDocument document("match = 1\nmatch match:\n    case 1:\n        print(len)\n");
  auto tokens = document.classifyTokens();
  CHECK(tokens[0].tokenClass == TokenClass::Identifier);
  CHECK(tokens[3].tokenClass == TokenClass::Keyword);
  CHECK(tokens[4].tokenClass == TokenClass::Identifier);
  CHECK(tokens[6].tokenClass == TokenClass::Keyword);
  CHECK(tokens[9].tokenClass == TokenClass::Builtin);
}

TEST_CASE("members of the language are completed with their documentation", "[compiler]") {
  Marked text = marked(kKernel + "    y = tl.ato|");
  CompletionList list = text.document.complete(text.cursor);
  const Completion *item = findItem(list, "atomic_add");
  REQUIRE(item);
  CHECK(item->kind == CompletionKind::Function);
  CHECK(item->detail.starts_with("tl.atomic_add(pointer, val"));
  CHECK_FALSE(item->doc.empty());
  CHECK_FALSE(findItem(list, "load"));
  CHECK(list.replaced.end.column - list.replaced.begin.column == 3);
}

TEST_CASE("members are completed right behind the dot", "[compiler]") {
  Marked text = marked(kKernel + "    y = libdevice.|\n");
  CHECK(findItem(text.document.complete(text.cursor), "tanh"));
  text = marked(kKernel + "    y = x.|\n");
  CompletionList tensor = text.document.complete(text.cursor);
  CHECK(findItem(tensor, "sum"));
  CHECK(findItem(tensor, "shape"));
  CHECK_FALSE(findItem(tensor, "load"));
  text = marked(kKernel + "    y = (x + 1).dtype.|\n");
  CHECK(findItem(text.document.complete(text.cursor), "is_floating"));
  text = marked(kKernel + "    y = tl.math.|\n");
  CompletionList math = text.document.complete(text.cursor);
  CHECK(findItem(math, "exp2"));
  CHECK_FALSE(findItem(math, "load"));
}

TEST_CASE("what kernels use most is offered first", "[compiler]") {
  const auto first = [](const char *line) {
    Marked text = marked(kKernel + line);
    const CompletionList list = text.document.complete(text.cursor);
    return list.items.empty() ? std::string() : list.items.front().text;
  };
  CHECK(first("    y = tl.|\n") == "load");
  CHECK(first("    y = tl.lo|\n") == "load");
  CHECK(first("    y = tl.st|\n") == "store");
  CHECK(first("    y = x.t|\n") == "to");
  CHECK(first("    y = tl.log|\n") == "log");
  // Where a dtype is wanted nothing else is as likely.
  CHECK(first("    y = x.to(tl.fl|)\n") == "float32");
  CHECK(first("    y = tl.zeros((1,), dtype=tl.i|)\n").starts_with("int"));
  CHECK(first("    y = tl.fl|\n") == "float32");
  CHECK(first("    y = tl.flo|or\n") != "");
}

TEST_CASE("names of the scope come with what they are, others do not", "[compiler]") {
  Marked text = marked(kKernel + "    y = |\n");
  CompletionList list = text.document.complete(text.cursor);
  REQUIRE(findItem(list, "BLOCK"));
  CHECK(findItem(list, "BLOCK")->kind == CompletionKind::Constexpr);
  CHECK(findItem(list, "x_ptr")->kind == CompletionKind::Parameter);
  CHECK(findItem(list, "offsets")->kind == CompletionKind::Variable);
  CHECK(findItem(list, "helper")->detail == "helper(value, scale: tl.constexpr = 2)");
  CHECK(findItem(list, "tl")->kind == CompletionKind::Module);
  CHECK_FALSE(findItem(list, "scale"));
  text = marked(kKernel + "\n|");
  CHECK_FALSE(findItem(text.document.complete(text.cursor), "offsets"));
}

TEST_CASE("inside a call its keyword arguments are offered", "[compiler]") {
  Marked text = marked(kKernel + "    y = tl.load(x_ptr, ma|");
  CompletionList list = text.document.complete(text.cursor);
  REQUIRE(findItem(list, "mask="));
  CHECK(findItem(list, "mask=")->kind == CompletionKind::KeywordArgument);
}

TEST_CASE("nothing is offered in comments, strings and numbers", "[compiler]") {
  for (const char *line : {"    # tl.lo|", "    y = 'tl.lo|'", "    y = 12|"}) {
    Marked text = marked(kKernel + line + "\n");
    INFO(line);
    CHECK(text.document.complete(text.cursor).items.empty());
  }
}

TEST_CASE("signature help follows the argument under the cursor", "[compiler]") {
  Marked text = marked(kKernel + "    y = tl.where(x > (1, 2), |");
  auto help = text.document.signatureHelp(text.cursor);
  REQUIRE(help);
  CHECK(help->signature == "tl.where(condition, x, y)");
  CHECK(help->activeParameter == 1);
  text = marked(kKernel + "    y = tl.load(x_ptr, other=|");
  help = text.document.signatureHelp(text.cursor);
  REQUIRE(help);
  CHECK(help->parameters[help->activeParameter] == "other=None");
  text = marked(kKernel + "    y = helper(x, |");
  help = text.document.signatureHelp(text.cursor);
  REQUIRE(help);
  CHECK(help->doc == "Scales a value.");
  CHECK(help->activeParameter == 1);
  text = marked(kKernel + "    y = tl.load(x_ptr)|");
  CHECK_FALSE(text.document.signatureHelp(text.cursor));
}

TEST_CASE("hovering explains the language and the file's own functions", "[compiler]") {
  EditorDocument document(kKernel);
  auto info = document.hover(find(kKernel, "arange"));
  REQUIRE(info);
  CHECK(info->signature == "tl.arange(start, end)");
  CHECK(info->range.begin == find(kKernel, "tl.arange"));
  info = document.hover(find(kKernel, "helper(libdevice"));
  REQUIRE(info);
  CHECK(info->doc == "Scales a value.");
  CHECK_FALSE(document.hover(find(kKernel, "offsets =")));
}

TEST_CASE("definitions and references stay within their scope", "[compiler]") {
  EditorDocument document(kKernel);
  auto definition = document.definition(find(kKernel, "offsets, mask"));
  REQUIRE(definition);
  CHECK(definition->begin == find(kKernel, "offsets ="));
  CHECK(document.definition(find(kKernel, "helper(libdevice"))->begin ==
        find(kKernel, "helper(value"));
  CHECK(document.definition(find(kKernel, "BLOCK)"))->begin == find(kKernel, "BLOCK: tl"));
  CHECK(document.references(find(kKernel, "offsets =")).size() == 5);
  CHECK(document.references(find(kKernel, "value * scale")).size() == 2);
  CHECK_FALSE(document.definition(find(kKernel, "program_id")));
}

TEST_CASE("blocks, brackets and runs of comments fold", "[compiler]") {
  EditorDocument document("# one\n# two\n\ndef f(\n    a,\n):\n    if a:\n        pass\n    else:\n"
                          "        x = [\n            1,\n        ]\n");
  std::vector<FoldingRange> expected{{0, 1}, {3, 11}, {6, 7}, {8, 11}, {9, 11}};
  CHECK(document.foldingRanges() == expected);
}

TEST_CASE("the outline tells kernels from other functions", "[compiler]") {
  EditorDocument document(kKernel + "\n\nclass Host:\n    pass\n");
  auto items = document.outline();
  REQUIRE(items.size() == 3);
  CHECK_FALSE(items[0].isKernel);
  CHECK(items[1].name == "kernel");
  CHECK(items[1].isKernel);
  CHECK(items[2].name == "Host");
}

TEST_CASE("every entry of the reference is complete and found by its path", "[compiler]") {
  for (const ReferenceEntry &entry : languageReference()) {
    INFO(entry.path);
    CHECK_FALSE(entry.doc.empty());
    CHECK_FALSE(entry.signature.empty());
    CHECK(findReference(entry.path) == &entry);
  }
  CHECK(languageReference().size() > 300);
  CHECK(findReference("triton.language.math.exp") == findReference("triton.language.exp"));
  CHECK(findReference("triton.language.extra.cuda.libdevice.tanh"));
  CHECK_FALSE(findReference("triton.language.nothing"));
}
