// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/Execute.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/runner/TextOutput.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

int runLaunch(const RunArguments &arguments) {
  Result<compiler::Selection> selection = toSelection(arguments.selection);
  if (!selection)
    return reportError(selection.error());
  Result<Place> place = parsePlace(arguments.where);
  if (!place)
    return reportError(place.error());
  if (arguments.profile && place->kind == Place::Kind::Cpu)
    return reportError({ErrorCode::Environment, "profiling needs an NVIDIA GPU",
                        "run on a machine with one, or name it: --on ssh://[user@]host"});
  if (arguments.compare && place->kind == Place::Kind::Cpu)
    fmt::print(stderr, "tilescope: note: the interpreter is what outputs are compared with; on the "
                       "CPU there is nothing to compare\n");
  Result<Document> document = openDocument(arguments.file, *selection);
  if (!document)
    return reportError(document.error());

  ExecuteOptions options;
  options.dump = arguments.dump;
  options.compare = arguments.compare;
  compiler::WorkerClient client(workerOptions());
  Result<Execution> execution = executeDocument(*document, *place, options, client);
  if (!execution)
    return reportError(execution.error());
  const profiler::Measurement &measurement = execution->measurement;
  fmt::print("{}", arguments.asJson ? profiler::measurementToText(measurement) + "\n"
                                    : profiler::describeMeasurement(measurement));
  bool differs =
      std::any_of(measurement.outputs.begin(), measurement.outputs.end(),
                  [](const auto &output) { return output.comparison && !output.comparison->ok(); });
  return differs ? kInputAtFault : kDone;
}

} // namespace tilescope::app
