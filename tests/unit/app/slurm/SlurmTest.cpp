// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/slurm/SlurmOptions.h"
#include "app/slurm/SlurmQueue.h"
#include "app/slurm/SlurmScript.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("options of Slurm are read, and what would mean more is refused", "[app]") {
  const auto options =
      parseSlurmOptions("partition=gpu, gres=gpu:h100:1,array=64,running=8,slow=2.5,time=1:30:00");
  REQUIRE(options);
  CHECK(options->numTasks == 64U);
  CHECK(options->numRunning == 8U);
  CHECK(options->slowSeconds == 2.5);
  CHECK(options->batch == std::vector<std::pair<std::string, std::string>>{
                              {"partition", "gpu"}, {"gres", "gpu:h100:1"}, {"time", "1:30:00"}});
  CHECK(parseSlurmOptions("")->batch.empty());
  for (const char *text :
       {"array=0", "array=", "array=1x", "array=-1", "slow=0", "slow=nan", "output=x", "gres",
        "gres=", "gres=a b", "gres=a\nb", "gres=$(x)", "gres='x'", "array=1000000000000"}) {
    INFO(text);
    CHECK_FALSE(parseSlurmOptions(text));
  }
}

TEST_CASE("a script quotes what it runs", "[app]") {
  SlurmOptions options;
  options.batch = {{"partition", "gpu"}};
  const std::string script = slurmScript(
      {"a kernel\n#SBATCH --x", "/it's here", {"/bin/tilescope", "sweep", "a b.py"}}, options);
  CHECK(script.find("#SBATCH --job-name=tilescope-a_kernel__SBATCH___x\n") != std::string::npos);
  CHECK(script.find("#SBATCH --partition=gpu\n") != std::string::npos);
  CHECK(script.find("#SBATCH --requeue\n") != std::string::npos);
  CHECK(script.ends_with("cd '/it'\\''s here' || exit 1\nexec '/bin/tilescope' 'sweep' 'a b.py' "
                         "\"$(($1 + SLURM_ARRAY_TASK_ID))\"\n"));
}

TEST_CASE("tasks become arrays whose indices Slurm takes", "[app]") {
  const auto arraysOf = [](std::vector<size_t> tasks, size_t limit) {
    std::string text;
    size_t count = 0;
    for (const SlurmArray &array : slurmArrays(tasks, limit)) {
      text += std::to_string(array.first) + "+" + array.indices + ";";
      count += array.numTasks;
    }
    CHECK(count == tasks.size());
    return text;
  };
  CHECK(arraysOf({0, 1, 2, 3}, 1001) == "0+0-3;");
  CHECK(arraysOf({0, 2, 3, 7}, 1001) == "0+0,2-3,7;");
  CHECK(arraysOf({6, 7, 8, 15, 16}, 8) == "0+6-7;8+0,7;16+0;");
  CHECK(arraysOf({}, 8).empty());
  std::vector<size_t> many(100'000);
  std::iota(many.begin(), many.end(), size_t(0));
  CHECK(slurmArrays(many, 1001).size() == 100);
}

TEST_CASE("lines of the queue are read", "[app]") {
  const auto running = parseQueueLine("1017 3 RUNNING 1-02:03:04");
  REQUIRE(running);
  CHECK(running->job == "1017");
  CHECK(running->index == 3);
  CHECK(running->isRunning);
  CHECK(running->seconds == 86400 + 2 * 3600 + 3 * 60 + 4);
  const auto waiting = parseQueueLine("1017 40 PENDING 0:00");
  REQUIRE(waiting);
  CHECK_FALSE(waiting->isRunning);
  CHECK(waiting->seconds == 0);
  // A job that is no array.
  CHECK_FALSE(parseQueueLine("1018 N/A RUNNING 0:01"));
  CHECK_FALSE(parseQueueLine(""));
}
