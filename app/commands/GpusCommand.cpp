// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AskPlace.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/TellHooks.h"
#include "app/remote/SshConfig.h"
#include "profiler/data/Text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

static void printText(const std::string &text) {
  std::fputs(profiler::printable(text).c_str(), stdout);
  std::fflush(stdout);
}

int runGpus(const GpusOptions &options) {
  std::vector<std::string> places = options.where;
  if (places.empty())
    places.emplace_back("cuda");
  json machines = json::array();
  int worst = 0;
  for (const std::string &where : places) {
    const Result<RunPlace> place = parseRunPlace(where, options.timeLimit);
    if (place && place->kind == RunPlace::Kind::Cpu)
      return reportError({ErrorCode::Usage, "the interpreter has no GPU",
                          "`--on cuda` is this machine, `--on ssh://host` another one"},
                         options.json);
    const Result<profiler::Capabilities> found =
        place ? capabilitiesOf(*place, tellingHooks(), options.timeLimit)
              : Result<profiler::Capabilities>(place.error());
    if (!found) {
      // The others may answer.
      worst = std::max(worst, reportError(found.error()));
      machines.push_back({{"place", where},
                          {"ok", false},
                          {"error", found.error().message},
                          {"hint", found.error().hint}});
      continue;
    }
    json machine = profiler::capabilitiesToJson(*found);
    machine["place"] = where;
    machine["ok"] = true;
    machines.push_back(std::move(machine));
    if (!options.json)
      printText((places.size() > 1 ? "==== " + where + " ====\n" : "") +
                profiler::capabilitiesText(*found));
    if (found->devices.empty())
      worst = std::max(worst, 3);
  }
  if (options.json)
    printJson({{"ok", worst == 0}, {"machines", std::move(machines)}});
  return worst;
}

int runHosts(const HostsOptions &options) {
  const std::vector<SshHost> hosts = sshHosts(sshConfigPath());
  if (options.json) {
    json list = json::array();
    for (const SshHost &host : hosts)
      list.push_back({{"name", host.name},
                      {"host_name", host.hostName},
                      {"user", host.user},
                      {"port", host.port}});
    printJson({{"ok", true}, {"hosts", std::move(list)}});
    return 0;
  }
  std::string text;
  for (const SshHost &host : hosts) {
    text += "ssh://" + host.name;
    if (!host.hostName.empty())
      text += "  " + host.hostName + (host.port.empty() ? "" : ":" + host.port);
    text += (host.user.empty() ? "" : "  as " + host.user) + "\n";
  }
  if (hosts.empty())
    std::fprintf(stderr, "%s names no machines\n", profiler::printable(sshConfigPath()).c_str());
  printText(text);
  return 0;
}

} // namespace tilescope::app
