// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/Answer.h"

#include "app/lesson/HeldElements.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::AccessFacts;
using compiler::LayoutFacts;
using compiler::MemoryAction;

/// 64 elements, two neighbors a lane, and two warps that hold the same.
static LayoutFacts pairsOfNeighbors() {
  LayoutFacts facts;
  facts.op = "tt.load";
  facts.shape = {64};
  facts.layout = {{"register", {{1}}}, {"lane", {{2}, {4}, {8}, {16}, {32}}}, {"warp", {{0}}}};
  facts.source = {{6, 2}, {6, 9}};
  return facts;
}

static AccessFacts loadOf(std::string argument) {
  AccessFacts facts;
  facts.action = MemoryAction::GlobalLoad;
  facts.argument = std::move(argument);
  facts.elementBytes = 4;
  facts.vectorBytes = 8;
  facts.range = {{6, 2}, {6, 9}};
  facts.counts.requests = 10;
  facts.counts.sectors = 80;
  facts.counts.bytesUsed = 1280;
  facts.counts.bytesFetched = 2560;
  return facts;
}

static LaunchOutcome countedKernel() {
  LaunchOutcome outcome;
  outcome.isCompiled = true;
  outcome.grid = {4, 2, 1};
  outcome.memory.emplace();
  outcome.memory->programs = 8;
  outcome.memory->accesses = {loadOf("x_ptr")};
  outcome.layouts = {pairsOfNeighbors()};
  return outcome;
}

static Question questionOf(QuestionKind kind, std::string argument = "x_ptr") {
  Question question;
  question.kind = kind;
  question.accesses.argument = std::move(argument);
  return question;
}

static bool takes(const Question &question, const LaunchOutcome &outcome, std::string_view text) {
  const Result<Answer> answer = answerTo(question, outcome);
  REQUIRE(answer);
  const Result<AnswerNumbers> given = parseAnswer(question, text);
  REQUIRE(given);
  return isRight(*answer, *given);
}

TEST_CASE("A block's elements are found in its threads") {
  const LayoutFacts facts = pairsOfNeighbors();
  const HeldBlock block(facts);
  CHECK(block.elementAt({0, 3, 0}) == std::vector<int64_t>{6});
  CHECK(block.holdersOf({5}) == std::vector<HeldPlace>{{1, 2, 0}, {1, 2, 1}});
  CHECK_FALSE(block.elementAt({2, 0, 0}));
  CHECK_FALSE(block.elementAt({0, 32, 0}));
  CHECK_FALSE(block.elementAt({0, 0, -1}));
  CHECK(block.contains({63}));
  CHECK_FALSE(block.contains({64}));
  CHECK_FALSE(block.contains({0, 0}));
  CHECK(block.words() ==
        "The block of 64 elements is spread over 2 warps of 32 lanes with 2 registers each.");
}

TEST_CASE("Who holds an element is any of its holders") {
  const LaunchOutcome outcome = countedKernel();
  Question question = questionOf(QuestionKind::Holder);
  question.element = {5};
  question.part = "lane";
  CHECK(takes(question, outcome, "2"));
  CHECK_FALSE(takes(question, outcome, "5"));
  question.part = "warp";
  CHECK(takes(question, outcome, "0"));
  CHECK(takes(question, outcome, "1"));
  CHECK(answerTo(question, outcome)->place == SourceRange{{6, 2}, {6, 9}});
  question.element = {64};
  CHECK(answerTo(question, outcome).error().message ==
        "the block has the shape [64], without an element [64]");
  question = questionOf(QuestionKind::HeldElement);
  question.lane = 3;
  CHECK(takes(question, outcome, "[6]"));
  CHECK(takes(question, outcome, "6"));
  CHECK_FALSE(takes(question, outcome, "[6, 0]"));
}

TEST_CASE("Counts of the meant access are the answer") {
  const LaunchOutcome outcome = countedKernel();
  CHECK(takes(questionOf(QuestionKind::SectorsOfRequest), outcome, "8"));
  CHECK_FALSE(takes(questionOf(QuestionKind::SectorsOfRequest), outcome, "4"));
  CHECK(answerTo(questionOf(QuestionKind::SectorsOfRequest), outcome)->explanation ==
        "A request of the load of `x_ptr` in line 7 is for 128 bytes and touches 8 sectors of 32 "
        "bytes: it uses 50 % of them.");
  CHECK(takes(questionOf(QuestionKind::BytesOfLane), outcome, "8"));
  CHECK(takes(questionOf(QuestionKind::BytesOfLaunch), outcome, "2,560"));
  CHECK(takes(questionOf(QuestionKind::Programs), outcome, "8"));
  CHECK(answerTo(questionOf(QuestionKind::SectorsOfRequest, "y_ptr"), outcome).error().message ==
        "the kernel does not access `y_ptr` in this way");
}

TEST_CASE("Shares have the digits that goals have, and one element is not several") {
  LaunchOutcome outcome = countedKernel();
  compiler::AccessFacts &access = outcome.memory->accesses.front();
  access.counts.bytesUsed = access.counts.bytesFetched / 8;
  access.vectorBytes = access.elementBytes;
  CHECK_THAT(answerTo(questionOf(QuestionKind::SectorsOfRequest), outcome)->explanation,
             Catch::Contains("it uses 12.5 % of them."));
  CHECK_THAT(answerTo(questionOf(QuestionKind::BytesOfLane), outcome)->explanation,
             Catch::Contains("with one instruction: 1 element of "));
}

TEST_CASE("What limits occupancy may be several things, and needs the assembler") {
  LaunchOutcome outcome = countedKernel();
  const Question question = questionOf(QuestionKind::Limiter);
  CHECK(answerTo(question, outcome).error().code == ErrorCode::Environment);
  outcome.occupancy = profiler::Occupancy{.blocksPerSm = 2,
                                          .warpsPerSm = 8,
                                          .maxWarpsPerSm = 64,
                                          .limiter = "registers, shared memory",
                                          .blocksByLimit = {16, 32, 2, 2}};
  CHECK(takes(question, outcome, "registers"));
  CHECK(takes(question, outcome, "shared memory"));
  CHECK_FALSE(takes(question, outcome, "warps"));
  CHECK(takes(questionOf(QuestionKind::ProgramsAtOnce), outcome, "2"));
  const std::string words = answerTo(question, outcome)->explanation;
  CHECK(words.find(": warps allow 16, ") != std::string::npos);
  CHECK(words.find("  ") == std::string::npos);
}

TEST_CASE("The line that limits occupancy is that of registers, or of a buffer, or none") {
  LaunchOutcome outcome = countedKernel();
  const Question question = questionOf(QuestionKind::LimitingLine, "");
  CHECK(answerTo(question, outcome).error().code == ErrorCode::Environment);
  outcome.occupancy = profiler::Occupancy{.limiter = "registers"};
  CHECK_FALSE(answerTo(question, outcome));
  const auto line = [](uint32_t number) { return SourceRange{{number - 1, 4}, {number - 1, 9}}; };
  outcome.pressure = {"SASS", 141, line(210), {{line(208), 128}, {line(209), 4}}};
  CHECK(takes(question, outcome, "208"));
  CHECK(takes(question, outcome, "line 208"));
  // That at which the most are alive, too; a line beside it is another line.
  CHECK(takes(question, outcome, "210"));
  CHECK_FALSE(takes(question, outcome, "209"));
  CHECK_FALSE(takes(question, outcome, "0"));
  CHECK(
      answerTo(question, outcome)->explanation ==
      "Occupancy is limited by registers. In SASS, 141 registers of a thread are alive at once at "
      "the most, at an instruction of line 210; 128 of them hold what line 208 computes.");
  CHECK(answerTo(question, outcome)->place == line(208));
  CHECK_FALSE(parseAnswer(question, "2.5"));
  CHECK_FALSE(parseAnswer(question, "the load"));

  outcome.shared.emplace();
  outcome.shared->total = 49152;
  outcome.shared->buffers.resize(2);
  outcome.shared->buffers[0].bytes = 16384;
  outcome.shared->buffers[0].range = line(30);
  outcome.shared->buffers[1].bytes = 32768;
  outcome.shared->buffers[1].range = line(31);
  outcome.shared->buffers[1].words = "a buffer of fp16[64, 64] in 4 slots";
  outcome.occupancy->limiter = "registers, shared memory";
  CHECK(takes(question, outcome, "208"));
  CHECK(takes(question, outcome, "31"));
  CHECK_FALSE(takes(question, outcome, "30"));
  outcome.occupancy->limiter = "shared memory";
  CHECK_FALSE(takes(question, outcome, "208"));
  CHECK(answerTo(question, outcome)->explanation ==
        "Occupancy is limited by shared memory. Line 31 needs 32,768 of 49,152 bytes of shared "
        "memory: "
        "a buffer of fp16[64, 64] in 4 slots.");
  outcome.occupancy->limiter = "warps";
  CHECK(takes(question, outcome, "0"));
  CHECK_FALSE(takes(question, outcome, "31"));
}

TEST_CASE("A program's first element is an index of the array") {
  LaunchOutcome outcome = countedKernel();
  compiler::TouchTrace trace;
  trace.grid = {4, 2, 1};
  trace.programs = {5, 1, 1};
  trace.accesses = {{{}, "tt.load", true, false, false, 4}};
  trace.arguments = {{"x_ptr", 4096, {8, 16}, 4}};
  // Rows 2 and 3, columns 4 to 7.
  trace.runs = {{5, 0, 0, 1, 4096 + 4 * (2 * 16 + 4), 0, {{2, 64}, {4, 4}}}};
  outcome.touches = trace;
  Question question = questionOf(QuestionKind::FirstElement);
  CHECK(takes(question, outcome, "[2, 4]"));
  CHECK(takes(question, outcome, "(2, 4)"));
  CHECK_FALSE(takes(question, outcome, "[4, 2]"));
  CHECK(answerTo(question, outcome)->explanation ==
        "Program (1, 1) reads rows 2 to 3, columns 4 to 7 of `x_ptr`: 8 elements.");
  CHECK(takes(questionOf(QuestionKind::ElementsTouched), outcome, "8"));
  question.accesses.direction = GoalAccesses::Direction::Store;
  CHECK(answerTo(question, outcome).error().message == "program (1, 1) does not write `x_ptr`");
}

TEST_CASE("A kernel that does not compile has no answer") {
  LaunchOutcome outcome = countedKernel();
  outcome.isCompiled = false;
  compiler::Diagnostic error;
  error.message = "`x` is not defined";
  outcome.diagnostics = {error};
  CHECK(answerTo(questionOf(QuestionKind::Programs), outcome).error().message ==
        "`x` is not defined");
}

TEST_CASE("What is typed is read as a number or an index, or refused") {
  const Question number = questionOf(QuestionKind::Programs);
  const Question index = questionOf(QuestionKind::FirstElement);
  CHECK(*parseAnswer(number, " 1,024") == AnswerNumbers{1024});
  CHECK(*parseAnswer(number, "12.5") == AnswerNumbers{12.5});
  CHECK(*parseAnswer(index, "[ 64 , 0 ]") == AnswerNumbers{64, 0});
  CHECK(*parseAnswer(index, "64 0") == AnswerNumbers{64, 0});
  for (const char *text : {"", "four", "1 2 x", "nan", "inf", "[1]"}) {
    INFO(text);
    CHECK_FALSE(parseAnswer(number, text));
  }
  for (const char *text : {"", "[1,]", "[,]", "a"}) {
    INFO(text);
    CHECK_FALSE(parseAnswer(index, text));
  }
  CHECK(parseAnswer(questionOf(QuestionKind::Limiter), "threads").error().message ==
        "choose one of warps, blocks, registers, shared memory");
}
