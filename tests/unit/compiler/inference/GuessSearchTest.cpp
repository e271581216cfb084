// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The search for guesses, with a compiler that objects to what the tests say.
#include "compiler/inference/GuessSearch.h"

#include "compiler/inference/GuessRepair.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

namespace {

struct NoImports final : ImportedFunctions {
  Found find(std::string_view) const override { return {}; }
};

/// A file that compiles for what `accepts`; else the error stands at `~value`, which `kernel`
/// calls.
class FakeFile final : public TrialFile {
public:
  explicit FakeFile(const std::string &body)
      : m_tree(ast::parseModule("import triton\nimport triton.language as tl\n" + body)) {
    REQUIRE(m_tree->diagnostics.empty());
  }

  const std::string &path() const override { return m_path; }
  const ast::SyntaxTree &tree() const override { return *m_tree; }
  const ImportedFunctions &imports() const override { return m_imports; }
  TrialOutcome tryOut(const ast::JitFunction &function, const Selection &selection,
                      const CallWatch *watch) override {
    ++numTrials;
    if (watch && function.name == "kernel" && watch->callee == "inverted")
      watch->report(passed);
    return {objectionTo(selection), cost};
  }
  std::unique_ptr<TrialFile> open(const Importer &) override { return nullptr; }

  /// Searches for guesses at `name`.
  void emit(const std::string &name, GuessMemory *memory = nullptr, bool isBroken = false) {
    numTrials = 0;
    emitted.clear();
    ast::ModuleIndex index = ast::indexModule(*m_tree);
    emitByGuesses({*this, index, *index.findFunction(name), {}, memory}, isBroken,
                  [&](const InferredSelection &inferred) {
                    emitted.push_back(inferred);
                    return objectionTo(inferred.selection);
                  });
  }

  std::function<bool(const Selection &)> accepts = [](const Selection &) { return true; };
  /// The subject that the error states.
  DiagnosticCause cause;
  /// What `kernel` passes to `inverted`.
  Selection passed;
  int64_t cost = 10;
  int numTrials = 0;
  std::vector<InferredSelection> emitted;

private:
  std::optional<Objection> objectionTo(const Selection &selection) const {
    if (accepts(selection))
      return std::nullopt;
    Objection objection;
    objection.error.kind = DiagnosticKind::DtypeUnsupported;
    objection.error.range = rangeOf("~value");
    objection.error.labels = {{rangeOf("inverted(tl.load(x + i))"), "called here"}};
    objection.error.message = "`~` is not supported for `uint32`: only pointers are";
    objection.error.cause = cause;
    return objection;
  }

  /// The range of `text`, which stands once in the file.
  SourceRange rangeOf(const std::string &text) const {
    const std::string &source = m_tree->source;
    const size_t at = source.find(text);
    const auto line = static_cast<uint32_t>(std::count(source.begin(), source.begin() + at, '\n'));
    const auto column = static_cast<uint32_t>(at - (source.rfind('\n', at) + 1));
    return {{line, column}, {line, column + static_cast<uint32_t>(text.size())}};
  }

  std::string m_path = "fake.py";
  std::shared_ptr<const ast::SyntaxTree> m_tree;
  NoImports m_imports;
};

} // namespace

static constexpr const char *kKernel = R"(
@triton.jit
def inverted(value):
    return ~value

@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, inverted(tl.load(x + i)))
)";

static bool loadsIntegers(const Selection &selection) {
  const auto x = selection.signature.find("x");
  return x != selection.signature.end() && x->second == "*i32:16";
}

TEST_CASE("what compiles at once is emitted once", "[compiler]") {
  FakeFile file(kKernel);
  file.emit("kernel");
  CHECK(file.emitted.size() == 1);
  CHECK(file.numTrials == 0);
}

TEST_CASE("guesses are tried until the compiler has no objection", "[compiler]") {
  FakeFile file(kKernel);
  file.accepts = loadsIntegers;
  file.emit("kernel");
  REQUIRE(file.emitted.size() == 2);
  CHECK(file.emitted.front().selection.signature.at("x") == "*fp32:16");
  CHECK(file.emitted.back().selection.signature.at("x") == "*i32:16");
  CHECK(file.numTrials > 0);
}

TEST_CASE("what a search ended with needs no other search", "[compiler]") {
  FakeFile file(kKernel);
  file.accepts = loadsIntegers;
  GuessMemory memory;
  file.emit("kernel", &memory);
  file.emit("kernel", &memory);
  REQUIRE(file.emitted.size() == 1);
  CHECK(file.emitted.front().selection.signature.at("x") == "*i32:16");
  CHECK(file.numTrials == 0);
  // A remembered result stays only as long as it holds.
  file.accepts = [](const Selection &selection) {
    return selection.signature.at("x") == "*i64:16";
  };
  file.emit("kernel", &memory);
  CHECK(file.emitted.back().selection.signature.at("x") == "*i64:16");
}

TEST_CASE("the cause of an error, not its words, says what is tried first", "[compiler]") {
  FakeFile file(kKernel);
  file.accepts = [](const Selection &selection) {
    return selection.signature.at("x") == "*u32:16";
  };
  file.emit("kernel");
  const int numBlind = file.numTrials;
  file.cause.types = {"u32"};
  file.emit("kernel");
  CHECK(file.emitted.back().selection.signature.at("x") == "*u32:16");
  CHECK(file.numTrials == 1);
  CHECK(numBlind > 4);
}

TEST_CASE("what a module lacks starts no search", "[compiler]") {
  const ast::ModuleIndex none;
  Diagnostic error;
  error.kind = DiagnosticKind::UnknownAttribute;
  CHECK(isGuessable(none, error));
  error.cause.need = Need::Import;
  CHECK_FALSE(isGuessable(none, error));
}

TEST_CASE("a document with syntax errors starts no search", "[compiler]") {
  FakeFile file(kKernel);
  file.accepts = loadsIntegers;
  file.emit("kernel", nullptr, true);
  CHECK(file.emitted.size() == 1);
  CHECK(file.numTrials == 0);
}

TEST_CASE("a search ends when its budget is spent", "[compiler]") {
  FakeFile file(kKernel);
  file.accepts = [](const Selection &) { return false; };
  file.emit("kernel");
  CHECK(file.numTrials > 4);
  // The errors of the first guess are the result.
  CHECK(file.emitted.size() == 1);
  file.cost = 5000;
  file.emit("kernel");
  CHECK(file.numTrials == 4);
}

TEST_CASE("callers are compiled for what they pass", "[compiler]") {
  FakeFile file(kKernel);
  file.passed.signature["value"] = "i32[64]";
  file.emit("inverted");
  REQUIRE(file.emitted.size() == 1);
  CHECK(file.emitted.front().selection.signature.at("value") == "i32[64]");
  CHECK(sentences(file.emitted.front().assumptions) ==
        std::vector<std::string>{"`value` is `i32[64]`: `kernel` passes such a block for the "
                                 "values that are guessed for it; it is made from memory here"});
}
