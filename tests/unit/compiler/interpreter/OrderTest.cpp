// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What orders programs, and results that depend on their order.
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/interpreter/OrderedPrograms.h"

#include <numeric>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

TEST_CASE("A flag that an atomic operation sets behind the value orders programs",
          "[compiler][interpreter][findings][order]") {
  for (const unsigned threads : {1u, 4u})
    for (const std::string &body :
         {waitBy(poll("acq_rel")) + kKeepSum + set("acq_rel"),
          waitBy(poll("acquire")) + kKeepSum + set("release"),
          waitBy("%was = tt.load %itsFlag {isVolatile = true} : !tt.ptr<i32>") + kKeepSum +
              set("acq_rel")}) {
      const Outcome outcome = outcomeOf(body, threads);
      CHECK(outcome.messages.empty());
      CHECK(outcome.data == std::vector<float>{1, 3, 6, 10});
    }
}

TEST_CASE("A flag that orders nothing leaves the value to chance",
          "[compiler][interpreter][findings][order]") {
  const std::string wait = waitBy(poll("acq_rel"));
  for (const unsigned threads : {1u, 4u})
    for (const std::string &body :
         // Set by a plain store, behind the value and before it; set before it; without order.
         {wait + kKeepSum + kPlainSet, wait + kPlainSet + kKeepSum,
          wait + set("acq_rel") + kKeepSum, wait + kKeepSum + set("relaxed"),
          waitBy(poll("relaxed")) + kKeepSum + set("acq_rel"), wait + kKeepSum + set("acquire")}) {
      const Outcome outcome = outcomeOf(body, threads);
      REQUIRE(outcome.messages.size() == 1);
      CHECK(outcome.messages.front().starts_with("line 25: `data["));
      CHECK(outcome.messages.front().find("]` is read by program ") != std::string::npos);
    }
  const std::string message = outcomeOf(wait + kKeepSum + kPlainSet).messages.front();
  CHECK(message == "line 25: `data[0]` is read by program 1 and changed by program 0 in "
                   "line 31: which comes first is chance; what the reader waits for has to be set "
                   "behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain "
                   "store or `sem=\"relaxed\"` orders nothing), and a count has to be that of all "
                   "writers");
  // Also of the program that has done nothing before.
  CHECK(outcomeOf(wait + set("acq_rel") + kKeepSum)
            .messages.front()
            .starts_with("line 25: `data[0]` is read by program 1 and changed by program "
                         "0 in line 32: which comes first is chance; what the reader"));
  // What the reader looks with is at fault, or what it waits for.
  CHECK(outcomeOf(waitBy(poll("relaxed")) + kKeepSum + set("acq_rel"))
            .messages.front()
            .find("the atomic operation that the reader looks at others with orders nothing") !=
        std::string::npos);
  // A scope of one program says nothing to others.
  std::string cta = wait + kKeepSum + set("acq_rel");
  cta.replace(cta.find("exch, acq_rel, gpu"), 18, "exch, acq_rel, cta");
  CHECK(outcomeOf(cta).messages.size() == 2);
}

TEST_CASE("What lies behind a wait is ordered in large grids, too",
          "[compiler][interpreter][findings][order]") {
  constexpr int32_t kPrograms = 20000;
  for (const unsigned threads : {1u, 4u})
    for (const auto &[semantic, isOrdered] : {std::pair("acq_rel", true), {"relaxed", false}}) {
      std::vector<float> data(kPrograms), out(kPrograms);
      std::vector<int32_t> flag(kPrograms);
      InterpreterOptions options;
      options.numThreads = threads;
      // A watched element: programs run in no other order, which takes long.
      const Interpretation result =
          runTtir(kernelOf(waitBy(poll("acq_rel")) + kKeepSum + set(semantic)),
                  {{kPrograms, 1, 1},
                   {memory("data", data), memory("flag", flag), memory("out", out)},
                   {{"data", 0}}},
                  options);
      CHECK(result.completed);
      CHECK(result.findings.empty() == isOrdered);
      CHECK(data.back() > 2e8);
    }
}

static const std::string kLock =
    "  scf.while : () -> () {\n"
    "    %was = tt.atomic_cas acq_rel, gpu, %flag, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32\n"
    "    %isTaken = arith.cmpi eq, %was, %c1 : i32\n"
    "    scf.condition(%isTaken)\n"
    "  } do {\n"
    "    scf.yield\n"
    "  }\n"
    "  %x = tt.load %data : !tt.ptr<f32>\n"
    "  %isMore = arith.cmpf ogt, %x, %zero : f32\n"
    "  %sum = arith.addf %x, %v : f32\n"
    "  %kept = arith.select %isMore, %sum, %v : f32\n"
    "  tt.store %data, %kept : !tt.ptr<f32>\n";

TEST_CASE("A lock orders what it guards if an atomic operation releases it",
          "[compiler][interpreter][findings][order]") {
  for (const unsigned threads : {1u, 4u}) {
    const Outcome right = outcomeOf(
        kLock + "  %o = tt.atomic_rmw exch, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32",
        threads);
    CHECK(right.messages.empty());
    CHECK(right.data.front() == 10);
    const Outcome wrong = outcomeOf(kLock + "  tt.store %flag, %c0 : !tt.ptr<i32>", threads);
    REQUIRE(wrong.messages.size() >= 1);
    const bool namesBoth = std::ranges::any_of(wrong.messages, [](const std::string &each) {
      return each.starts_with("line 29: `flag[0]` is stored by program ") &&
             each.find("changed by an atomic operation of program ") != std::string::npos &&
             each.find(" in line 18") != std::string::npos;
    });
    CHECK(namesBoth);
  }
}

static const std::string kBarrier =
    "  %arrived = tt.atomic_rmw add, acq_rel, gpu, %flag, %c1 : (!tt.ptr<i32>, i32) -> i32\n"
    "  scf.while : () -> () {\n"
    "    %was = tt.atomic_rmw add, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32\n"
    "    %isEarly = arith.cmpi sle, %was, %c3 : i32\n"
    "    scf.condition(%isEarly)\n"
    "  } do {\n"
    "    scf.yield\n"
    "  }\n";

TEST_CASE("Stores of two programs race behind a wait for something else",
          "[compiler][interpreter][findings][order]") {
  for (const unsigned threads : {1u, 4u}) {
    const Outcome wrong = outcomeOf(kBarrier + "  tt.store %data, %v : !tt.ptr<f32>\n", threads);
    REQUIRE(wrong.messages.size() == 1);
    CHECK(wrong.messages.front().starts_with("line 25: `data[0]` is written by program "));
    CHECK(wrong.messages.front().find(" in line 25: which comes first is chance; the lock has to "
                                      "be released, or the flag set, behind the store") !=
          std::string::npos);
    // What a lock guards is stored before it is released.
    std::string early = kLock;
    const std::string release =
        "  %o = tt.atomic_rmw exch, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32\n";
    early.insert(early.rfind("  tt.store"), release);
    CHECK(outcomeOf(early, threads).messages.size() >= 1);
    // The same value twice, and each program its own element.
    CHECK(
        outcomeOf(kBarrier + "  tt.store %data, %zero : !tt.ptr<f32>\n", threads).messages.empty());
    CHECK(outcomeOf("  tt.store %myOut, %v : !tt.ptr<f32>\n" + kBarrier +
                        "  %other = arith.subi %c3, %pid : i32\n"
                        "  %its = tt.addptr %out, %other : !tt.ptr<f32>, i32\n"
                        "  tt.store %its, %v : !tt.ptr<f32>\n",
                    threads)
              .messages.empty());
  }
}

TEST_CASE("An atomic operation that changes nothing reads what it only stores",
          "[compiler][interpreter][findings][order]") {
  const auto kernel = [](const std::string &semantic, const std::string &use) {
    std::string barrier = kBarrier;
    barrier.replace(barrier.find("acq_rel"), 7, semantic);
    return "  %own = tt.atomic_rmw fadd, relaxed, gpu, %data, %v : (!tt.ptr<f32>, f32) -> f32\n" +
           barrier +
           "  %sum = tt.atomic_rmw fadd, acq_rel, gpu, %data, %zero : (!tt.ptr<f32>, f32) -> "
           "f32\n" +
           use;
  };
  const std::string kept = "  %half = arith.mulf %sum, %sum : f32\n"
                           "  tt.store %myOut, %half : !tt.ptr<f32>\n";
  for (const unsigned threads : {1u, 4u}) {
    const Outcome right = outcomeOf(kernel("acq_rel", kept), threads);
    CHECK(right.messages.empty());
    CHECK(right.out == std::vector<float>{100, 100, 100, 100});
    const Outcome wrong = outcomeOf(kernel("relaxed", kept), threads);
    REQUIRE(wrong.messages.size() == 1);
    CHECK(wrong.messages.front().starts_with("line 26: `data[0]` is read by program "));
    CHECK(wrong.messages.front().find(" in line 17: which comes first is chance; what the reader "
                                      "waits for has to be changed behind the update of `data`") !=
          std::string::npos);
    // What it returns says whether to go on.
    CHECK(outcomeOf(kernel("relaxed", "  %isMore = arith.cmpf ogt, %sum, %zero : f32\n"
                                      "  scf.if %isMore {\n"
                                      "    tt.store %myOut, %v : !tt.ptr<f32>\n"
                                      "  }\n"),
                    threads)
              .messages.empty());
  }
}

/// Takes the next number of the counter at %flag + 1.
static std::string takeNext(const std::string &semantic) {
  return "  %head = tt.addptr %flag, %c1 : !tt.ptr<i32>, i32\n"
         "  %n = tt.atomic_rmw add, " +
         semantic + ", gpu, %head, %c1 : (!tt.ptr<i32>, i32) -> i32\n";
}
static const std::string kWorkOnIt = "  %item = tt.addptr %data, %n : !tt.ptr<f32>, i32\n"
                                     "  %x = tt.load %item : !tt.ptr<f32>\n"
                                     "  %isLess = arith.cmpf olt, %x, %zero : f32\n"
                                     "  scf.if %isLess {\n"
                                     "    tt.store %out, %zero : !tt.ptr<f32>\n"
                                     "  }\n";

TEST_CASE("A race that the order of programs hides is found in another one",
          "[compiler][interpreter][findings][order]") {
  // Of a queue each program takes its own item if they run one after another.
  const std::string relaxed = "  tt.store %mine, %v : !tt.ptr<f32>\n" + takeNext("relaxed");
  // Also in the other direction, unless they take turns.
  const std::string early =
      "  %at = tt.atomic_rmw add, acq_rel, gpu, %flag, %c1 : (!tt.ptr<i32>, i32) -> i32\n"
      "  %place = tt.addptr %data, %at : !tt.ptr<f32>, i32\n"
      "  tt.store %place, %v : !tt.ptr<f32>\n" +
      takeNext("acq_rel");
  for (const unsigned threads : {1u, 4u})
    for (const std::string &body : {relaxed, early}) {
      const Outcome outcome = outcomeOf(body + kWorkOnIt, threads);
      REQUIRE(outcome.messages.size() >= 1);
      CHECK(outcome.messages.front().find("]` is read by program ") != std::string::npos);
    }
}

/// Adds to %data after as many programs as `comparison` (of %was, which %flag held) asks for.
static std::string addInTurn(const std::string &comparison) {
  return "  scf.while : () -> () {\n"
         "    %was = tt.atomic_rmw add, acq_rel, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32\n"
         "    %isEarly = arith.cmpi " +
         comparison +
         " : i32\n"
         "    scf.condition(%isEarly)\n"
         "  } do {\n"
         "    scf.yield\n"
         "  }\n"
         "  %x = tt.load %data : !tt.ptr<f32>\n"
         "  %sum = arith.addf %x, %v : f32\n"
         "  tt.store %data, %sum : !tt.ptr<f32>\n"
         "  %o = tt.atomic_rmw add, acq_rel, gpu, %flag, %c1 : (!tt.ptr<i32>, i32) -> i32\n";
}

TEST_CASE("A wait that lets a program in too early is found, although its turn came by chance",
          "[compiler][interpreter][findings][order]") {
  for (const unsigned threads : {1u, 4u}) {
    const Outcome right = outcomeOf(addInTurn("slt, %was, %pid"), threads);
    CHECK(right.messages.empty());
    CHECK(right.data.front() == 10);
    const Outcome wrong = outcomeOf(addInTurn("slt, %was, %last"), threads);
    CHECK(wrong.data.front() == 10);
    REQUIRE(wrong.messages.size() >= 1);
    CHECK(wrong.messages.front().find("`data[") != std::string::npos);
  }
}

static const std::string kTicket =
    "  %n = tt.atomic_rmw add, acq_rel, gpu, %flag, %c1 : (!tt.ptr<i32>, i32) -> i32\n";

TEST_CASE("What the order of tickets decides is reported at the atomic operation",
          "[compiler][interpreter][findings][order]") {
  // As an index, as a value, in a branch, and as an order of another counter.
  CHECK(outcomeOf(kTicket + "  %p = tt.addptr %out, %n : !tt.ptr<f32>, i32\n"
                            "  tt.store %p, %v : !tt.ptr<f32>\n")
            .messages ==
        std::vector<std::string>{
            "line 17: what this atomic operation returns depends on the order in which programs "
            "run, and `out` with it: `out[0]` is 1, and 2 when they run in another order; on a "
            "GPU the order is chance"});
  for (const std::string &rest : {std::string("  %f = arith.sitofp %n : i32 to f32\n"
                                              "  tt.store %myOut, %f : !tt.ptr<f32>\n"),
                                  std::string("  %isFirst = arith.cmpi eq, %n, %c0 : i32\n"
                                              "  scf.if %isFirst {\n"
                                              "    tt.store %out, %v : !tt.ptr<f32>\n"
                                              "  }\n")}) {
    const Outcome outcome = outcomeOf(kTicket + rest, 2);
    REQUIRE(outcome.messages.size() == 1);
    CHECK(outcome.messages.front().starts_with("line 17: what this atomic operation returns"));
  }
  // Of an exchange nothing is returned to the kernel that it uses.
  const Outcome last =
      outcomeOf("  %n = tt.atomic_rmw exch, acq_rel, gpu, %out, %v : (!tt.ptr<f32>, f32) -> f32\n");
  REQUIRE(last.messages.size() == 1);
  CHECK(last.messages.front().starts_with(
      "line 17: what this atomic operation leaves depends on the order in which programs run: "
      "`out[0]` is 4, and "));
  // Results are those of the first run.
  CHECK(outcomeOf(kTicket + "  %f = arith.sitofp %n : i32 to f32\n"
                            "  tt.store %myOut, %f : !tt.ptr<f32>\n")
            .out == std::vector<float>{0, 1, 2, 3});
  CHECK(outcomeOf("  %was = tt.atomic_cas relaxed, gpu, %flag, %c0, %next : (!tt.ptr<i32>, i32, "
                  "i32) -> i32\n"
                  "  %f = arith.sitofp %was : i32 to f32\n"
                  "  tt.store %myOut, %f : !tt.ptr<f32>\n")
            .messages.size() == 1);
}

TEST_CASE("Each result that the order of tickets decides is reported, and no other",
          "[compiler][interpreter][findings][order]") {
  const std::string numbers = "  %f = arith.sitofp %n : i32 to f32\n";
  const std::string both = kTicket + numbers +
                           "  tt.store %mine, %f : !tt.ptr<f32>\n"
                           "  tt.store %myOut, %f : !tt.ptr<f32>\n";
  const Outcome outcome = outcomeOf(both);
  REQUIRE(outcome.messages.size() == 2);
  CHECK(outcome.messages.front().find("and `data` with it") != std::string::npos);
  CHECK(outcome.messages.back().find("and `out` with it") != std::string::npos);
  // Stores that race for what nobody reads say nothing about other arguments.
  for (const unsigned threads : {1u, 4u}) {
    const Outcome raced =
        outcomeOf(kTicket + numbers +
                      "  tt.store %out, %v : !tt.ptr<f32>\n  tt.store %mine, %f : !tt.ptr<f32>\n",
                  threads);
    REQUIRE(raced.messages.size() == 2);
    CHECK(raced.messages.front().find("`out[0]` is written by program ") != std::string::npos);
    CHECK(raced.messages.back().find("and `data` with it") != std::string::npos);
  }
}

TEST_CASE("What any order of tickets leaves the same is not accused",
          "[compiler][interpreter][findings][order]") {
  // Programs take their tiles from a counter.
  CHECK(outcomeOf(kTicket + "  %p = tt.addptr %out, %n : !tt.ptr<f32>, i32\n"
                            "  %f = arith.sitofp %n : i32 to f32\n"
                            "  tt.store %p, %f : !tt.ptr<f32>\n")
            .messages.empty());
  // The last one, whichever it is, reads what all have left.
  const std::string last = "  tt.store %mine, %v : !tt.ptr<f32>\n" + kTicket +
                           "  %isLast = arith.cmpi eq, %n, %c3 : i32\n"
                           "  scf.if %isLast {\n"
                           "    %a = tt.load %data : !tt.ptr<f32>\n"
                           "    %pb = tt.addptr %data, %c3 : !tt.ptr<f32>, i32\n"
                           "    %b = tt.load %pb : !tt.ptr<f32>\n"
                           "    %s = arith.addf %a, %b : f32\n"
                           "    tt.store %out, %s : !tt.ptr<f32>\n"
                           "  }\n";
  for (const unsigned threads : {1u, 4u}) {
    const Outcome outcome = outcomeOf(last, threads);
    CHECK(outcome.messages.empty());
    CHECK(outcome.out.front() == 5);
  }
  // Which program took which number is its own matter where another argument is the result.
  const std::string scratch = kTicket + "  %f = arith.sitofp %n : i32 to f32\n"
                                        "  tt.store %mine, %f : !tt.ptr<f32>\n"
                                        "  tt.store %myOut, %v : !tt.ptr<f32>\n";
  CHECK(outcomeOf(scratch, 1, "out").messages.empty());
  CHECK(outcomeOf(scratch, 1, "data").messages.size() == 1);
  // Sums differ in their last bits.
  CHECK(
      outcomeOf("  %tenth = arith.constant 0.1 : f32\n"
                "  %w = arith.divf %tenth, %v : f32\n"
                "  %o = tt.atomic_rmw fadd, acq_rel, gpu, %out, %w : (!tt.ptr<f32>, f32) -> f32\n" +
                kTicket +
                "  %isLast = arith.cmpi eq, %n, %c3 : i32\n"
                "  scf.if %isLast {\n"
                "    tt.store %data, %zero : !tt.ptr<f32>\n"
                "  }\n")
          .messages.empty());
}

TEST_CASE("Sums under a lock may differ by what another order rounds otherwise",
          "[compiler][interpreter][findings][order]") {
  // Among many zeros, with terms that cancel.
  const std::string text = R"(
tt.func public @k(%x: !tt.ptr<f32>, %lock: !tt.ptr<i32>, %sum: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %p = tt.addptr %x, %pid : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  scf.while : () -> () {
    %was = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %isTaken = arith.cmpi eq, %was, %c1 : i32
    scf.condition(%isTaken)
  } do {
    scf.yield
  }
  %old = tt.load %sum : !tt.ptr<f32>
  FACTOR
  %new = arith.addf %scaled, %v : f32
  tt.store %sum, %new : !tt.ptr<f32>
  %o = tt.atomic_rmw exch, acq_rel, gpu, %lock, %c0 : (!tt.ptr<i32>, i32) -> i32
  tt.return
}
)";
  const auto messagesOf = [&](const std::string &factor) {
    std::string kernel = text;
    kernel.replace(kernel.find("FACTOR"), 6, factor);
    std::vector<float> x(1000), sum(4096);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i * 2654435761u % 2001) / 7 - 143;
    std::vector<int32_t> lock(1);
    return runTtir(kernel,
                   {{1000, 1, 1}, {memory("x", x), memory("lock", lock), memory("sum", sum)}})
        .findings.size();
  };
  CHECK(messagesOf("%one = arith.constant 1.0 : f32\n%scaled = arith.mulf %old, %one : f32") == 0);
  // Here the last count most. A run that takes long is not repeated in other orders.
  if (!tests::kIsSanitized)
    CHECK(messagesOf("%half = arith.constant 0.5 : f32\n%scaled = arith.mulf %old, %half : f32") ==
          1);
}
