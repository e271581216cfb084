// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/WorkerClient.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace tilescope::compiler {

TEST_CASE("a worker that dies over a model was reading it, and the next one is read",
          "[compiler]") {
  setenv("TILESCOPE_TEST_HOOKS", "1", 1);
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  WorkerClient client(options);
  ModelMessage message;
  message.request.path = "/nowhere/m.onnx";
  message.hook = {TestHook::Action::Crash, "read model"};
  const Result<ModelDoneReply> crashed = client.readModel(message);
  REQUIRE(crashed);
  REQUIRE(crashed->diagnostics.size() == 1);
  CHECK(crashed->diagnostics[0].message ==
        "the compiler crashed while reading the model (SIGSEGV)");
  const Result<ModelDoneReply> next = client.readModel({0, message.request, {}});
  REQUIRE(next);
  CHECK(next->diagnostics.empty());
  CHECK(next->result.diagnostics.size() == 1);
  unsetenv("TILESCOPE_TEST_HOOKS");
}

} // namespace tilescope::compiler
