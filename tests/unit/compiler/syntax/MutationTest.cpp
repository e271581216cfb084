// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Damages valid sources at random and checks what must hold for any text. Run it with the
// sanitizers' preset and a larger TILESCOPE_MUTATIONS to look for crashes.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;

/// A bit of everything in the grammar.
static const std::string kEverything = R"py(# comment
from __future__ import annotations
import a.b.c as d, e
from ..f import (g as h, i,)
@deco(1, *a, k=2, **b)
async def fn[T: int = str, *Ts, **P](a, /, b: int = 1, *args: *Ts, c, d=2, **kw) -> None:
    """doc"""
    async with x as y, (z): pass
    async for q in w: await q
    else: return [i async for i in j if i]
    nonlocal zz; global yy
    x: int = yield; y += yield from z
    del a[0], (b.c, d)
    raise E from f
class C(B, metaclass=M): x = lambda a, *b, c=1, **d: a if b else not c
with (open(a) as b, open(c) as d,): pass
with (a, b) as c: pass
try: pass
except* (A, B) as e: assert x, "msg"
finally: pass
while (n := f()) > 0x1F and 1_000.5e-3j: break
else: continue
match p, *q:
    case {"a": 1, **rest} if x: pass
    case [Point(x=0, y=-1 + 2j), *_] | (None as z) | a.b: pass
    case "s" 'p': pass
type X[T] = list[T]
x = y = {**a, 'b': {1, *c}, **{k: v for k, v in d.items() if k}}[1:2, ::3, ...]
f"{x!r:>{w}.{p}} {{}} {f'{y=}'} \N{DASH}" rb'''\x00
''' '\u00e9'
print(*a, sep='', **{'end': b''}); x @= y ** -z // ~w << 1 != 2 is not 3 not in 4
if a: b
elif c:
	d = (yield)
else:
    e
)py";

static std::vector<std::string> seeds() {
  std::vector<std::string> result{kEverything};
  for (const char *name : {"matmul", "layer_norm", "dropout"}) {
    std::ifstream file(std::string(TILESCOPE_EXAMPLES) + "/" + name + ".py");
    std::string text(std::istreambuf_iterator<char>(file), {});
    REQUIRE_FALSE(text.empty());
    result.push_back(text);
  }
  return result;
}

static std::vector<std::string> tokensOf(const std::string &source) {
  DiagnosticSink ignored(0);
  Lexer lexer(source, 0, ignored);
  std::vector<std::string> pieces;
  uint32_t last = 0;
  for (size_t i = 0; lexer.token(i).kind != TokenKind::EndOfFile; ++i) {
    const Token &token = lexer.token(i);
    if (token.begin > last)
      pieces.push_back(source.substr(last, token.begin - last));
    if (token.end > token.begin && token.begin >= last)
      pieces.push_back(source.substr(token.begin, token.end - token.begin));
    last = std::max(last, token.end);
  }
  pieces.push_back(source.substr(std::min<size_t>(last, source.size())));
  return pieces;
}

static const char *const kInsertions[] = {
    "(",      ")",      "[",  "]",      "{",     "}",    ":",    ",",        "'",    "\"\"\"",
    "f'{",    "f\"{x:", "\\", "\n",     "\t",    "    ", "def ", "if ",      "else", "match",
    "case ",  "lambda", "*",  "**",     "=",     ":=",   "\xff", "\xe2\x82", "\r",   "\0",
    "0x",     "1e",     "@",  "async ", "yield", "!",    "->",   "...",      "#",    "\xEF\xBB\xBF",
    "with (", "except", "\f", "}}",     "{{",    "\\N{"};

static std::string mutated(const std::vector<std::string> &pieces, std::mt19937 &random) {
  std::vector<std::string> changed = pieces;
  auto pick = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  size_t numChanges = 1 + pick(4);
  for (size_t i = 0; i < numChanges && !changed.empty(); ++i) {
    size_t at = pick(changed.size());
    switch (pick(5)) {
    case 0:
      changed.erase(changed.begin() + at);
      break;
    case 1:
      changed.insert(changed.begin() + at, kInsertions[pick(std::size(kInsertions))]);
      break;
    case 2:
      changed[at] = changed[pick(changed.size())];
      break;
    case 3:
      std::swap(changed[at], changed[pick(changed.size())]);
      break;
    default:
      if (!changed[at].empty())
        changed[at].erase(pick(changed[at].size()));
    }
  }
  std::string text;
  for (const std::string &piece : changed)
    text += piece;
  // Sometimes only the beginning, as while typing.
  if (pick(4) == 0 && !text.empty())
    text.resize(pick(text.size()));
  return text;
}

static bool isInside(const SyntaxTree &tree, const SourceRange &range) {
  auto fits = [&](Position position) {
    return position.line < tree.lineOffsets.size() &&
           tree.lineOffsets[position.line] + position.column <= tree.source.size();
  };
  return range.begin <= range.end && fits(range.begin) && fits(range.end);
}

static void checkInvariants(const std::string &text) {
  EditorDocument document(text);
  const SyntaxTree &tree = document.tree();
  bool allInside = true, hasInvalid = false;
  walk(*tree.module, [&](const Node &node) {
    allInside = allInside && isInside(tree, node.range);
    hasInvalid = hasInvalid || is<InvalidExpr>(&node) || is<InvalidStmt>(&node);
    return true;
  });
  CHECK(allInside);
  // Text that could not be parsed was reported.
  if (hasInvalid)
    CHECK(tree.hasErrors());
  for (const Diagnostic &diagnostic : tree.diagnostics) {
    CHECK_FALSE(diagnostic.message.empty());
    CHECK(isInside(tree, diagnostic.range));
  }
  CHECK(dumpAst(*tree.module).sourceMap.lines.size() > 0);
  Position last;
  bool isSorted = true;
  for (const ClassifiedToken &token : document.classifyTokens()) {
    isSorted = isSorted && last <= token.range.begin && token.range.begin <= token.range.end;
    last = token.range.begin;
  }
  CHECK(isSorted);
  for (uint32_t line = 0; line < tree.lineOffsets.size(); line += 7) {
    Position position{line, 9};
    document.complete(position);
    document.signatureHelp(position);
    document.hover(position);
    document.definition(position);
  }
  document.foldingRanges();
}

TEST_CASE("no text crashes the parser or the editor's services", "[compiler]") {
  const char *wanted = std::getenv("TILESCOPE_MUTATIONS");
  int numMutations = wanted ? std::atoi(wanted) : 400;
  std::mt19937 random(20240607);
  for (const std::string &seed : seeds()) {
    std::vector<std::string> pieces = tokensOf(seed);
    for (int i = 0; i < numMutations; ++i) {
      std::string text = mutated(pieces, random);
      INFO(text);
      checkInvariants(text);
    }
  }
}

TEST_CASE("the seed of the mutations uses the whole grammar without error", "[compiler]") {
  auto tree = parseModule(kEverything);
  for (const Diagnostic &diagnostic : tree->diagnostics)
    UNSCOPED_INFO(diagnostic.range.begin.line << ": " << diagnostic.message);
  int numErrors = 0;
  for (const Diagnostic &diagnostic : tree->diagnostics)
    numErrors += diagnostic.kind != DiagnosticKind::SyntaxMisplacedStatement &&
                 diagnostic.kind != DiagnosticKind::SyntaxInvalidEscape;
  CHECK(numErrors == 0);
}
