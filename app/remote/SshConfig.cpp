// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/remote/SshConfig.h"

#include "profiler/data/FileIo.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <glob.h>
#include <pwd.h>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace tilescope::app {

namespace fs = std::filesystem;

/// As ssh has it: files that include each other end somewhere.
static constexpr int kDeepestInclude = 16;
static constexpr size_t kMostHosts = 10'000;

static std::string homeFolder() {
  if (const char *home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return home;
  const passwd *user = getpwuid(getuid());
  return user != nullptr ? user->pw_dir : "";
}

std::string sshConfigPath() { return homeFolder() + "/.ssh/config"; }

/// The words of a line, the first in lower case; `Key=value` is two words, quotes hold one together,
/// and a word that begins with `#` ends the line.
static std::vector<std::string> wordsOf(const std::string &line) {
  std::vector<std::string> words;
  std::string word;
  bool isInside = false, isQuoted = false;
  const auto end = [&] {
    if (isInside)
      words.push_back(std::move(word));
    word.clear();
    isInside = false;
  };
  for (const char letter : line) {
    const bool isEquals = letter == '=' && words.size() + (isInside ? 1 : 0) == 1;
    if (letter == '"') {
      isQuoted = !isQuoted;
      isInside = true;
    } else if (!isQuoted && (letter == ' ' || letter == '\t' || letter == '\r' || isEquals)) {
      end();
    } else if (letter == '#' && !isQuoted && !isInside) {
      break;
    } else {
      word += letter;
      isInside = true;
    }
  }
  end();
  if (!words.empty())
    std::ranges::transform(words[0], words[0].begin(),
                           [](unsigned char letter) { return std::tolower(letter); });
  return words;
}

namespace {
class ConfigReader {
public:
  void read(const std::string &path, int depth);
  std::vector<SshHost> hosts;

private:
  void takeHost(const std::vector<std::string> &words);
  void include(const std::string &pattern, int depth);

  /// Those that the lines are about.
  std::vector<size_t> m_current;
};
} // namespace

void ConfigReader::takeHost(const std::vector<std::string> &words) {
  m_current.clear();
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string &name = words[i];
    // A host that begins with a dash would be an option of ssh.
    if (name.find_first_of("*?!") != std::string::npos || name.empty() || name[0] == '-' ||
        hosts.size() == kMostHosts)
      continue;
    auto known = std::ranges::find(hosts, name, &SshHost::name);
    if (known == hosts.end())
      known = hosts.insert(known, SshHost{name});
    m_current.push_back(static_cast<size_t>(known - hosts.begin()));
  }
}

void ConfigReader::include(const std::string &pattern, int depth) {
  const std::string home = homeFolder();
  const std::string whole = pattern.starts_with("~/")  ? home + pattern.substr(1)
                            : pattern.starts_with('/') ? pattern
                                                       : home + "/.ssh/" + pattern;
  glob_t found = {};
  if (glob(whole.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i)
      read(found.gl_pathv[i], depth + 1);
  globfree(&found);
}

void ConfigReader::read(const std::string &path, int depth) {
  if (depth > kDeepestInclude)
    return;
  const Result<std::string> text = profiler::readTextFile(path);
  if (!text)
    return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = wordsOf(line);
    if (words.size() < 2)
      continue;
    const std::string &key = words[0];
    if (key == "host")
      takeHost(words);
    else if (key == "match")
      m_current.clear();
    else if (key == "include")
      for (size_t i = 1; i < words.size(); ++i)
        include(words[i], depth);
    // The first value counts.
    for (const auto &[name, field] : {std::pair("hostname", &SshHost::hostName),
                                      {"user", &SshHost::user},
                                      {"port", &SshHost::port}})
      if (key == name)
        for (const size_t i : m_current)
          if ((hosts[i].*field).empty())
            hosts[i].*field = words[1];
  }
}

std::vector<SshHost> sshHosts(const std::string &configPath) {
  ConfigReader reader;
  reader.read(configPath, 0);
  return std::move(reader.hosts);
}

} // namespace tilescope::app
