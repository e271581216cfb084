// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelOptions.h"

#include <charconv>
#include <optional>
#include <sstream>

namespace tilescope::compiler {

static std::optional<int> parseInt(const std::string &text) {
  int value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

static Error badValue(const std::string &name, const std::string &text, const char *rule) {
  return Error{ErrorCode::InvalidInput,
               "option `" + name + "` is `" + text + "`; it must be " + rule, ""};
}

static bool isPowerOfTwo(int value) { return value > 0 && (value & (value - 1)) == 0; }

/// A size in bytes that Triton's metadata states for code that is compiled already.
static Status readBytes(const std::string &name, const std::string &text, int64_t &field) {
  const std::optional<int> value = parseInt(text);
  if (!value || *value < 0)
    return badValue(name, text, "a number of bytes");
  field = *value;
  return std::nullopt;
}

/// A positive number, or a power of two where the hardware wants one.
static Status readCount(const std::string &name, const std::string &text, bool powerOfTwo,
                        int &field) {
  const std::optional<int> value = parseInt(text);
  if (!value || *value < 1 || (powerOfTwo && !isPowerOfTwo(*value)))
    return badValue(name, text, powerOfTwo ? "a power of two" : "a positive integer");
  field = *value;
  return std::nullopt;
}

static Status readFlag(const std::string &name, const std::string &text, bool &field) {
  if (text != "True" && text != "False" && text != "true" && text != "false" && text != "1" &&
      text != "0")
    return badValue(name, text, "`True` or `False`");
  field = text == "True" || text == "true" || text == "1";
  return std::nullopt;
}

static Status readOption(const std::string &name, const std::string &text, KernelOptions &options) {
  if (name == "num_warps")
    return readCount(name, text, true, options.numWarps);
  if (name == "num_stages")
    return readCount(name, text, false, options.numStages);
  if (name == "num_ctas")
    return readCount(name, text, true, options.numCtas);
  if (name == "maxnreg")
    return text == "None" ? std::nullopt : readCount(name, text, false, options.maxRegisters);
  if (name == "shared")
    return readBytes(name, text, options.sharedBytes);
  if (name == "global_scratch_size")
    return readBytes(name, text, options.globalScratchBytes);
  if (name == "enable_fp_fusion")
    return readFlag(name, text, options.fpFusion);
  if (name == "enable_reflect_ftz")
    return readFlag(name, text, options.flushDenormalsInLibdevice);
  if (name == "ptx_options" && text != "None") {
    std::string unquoted = text;
    if (unquoted.size() >= 2 && (unquoted.front() == '"' || unquoted.front() == '\''))
      unquoted = unquoted.substr(1, unquoted.size() - 2);
    std::istringstream words(unquoted);
    for (std::string word; words >> word;)
      options.assemblerOptions.push_back(word);
  }
  return std::nullopt;
}

Result<KernelOptions> parseKernelOptions(const std::map<std::string, std::string> &options,
                                         const TargetSpec &target) {
  KernelOptions result;
  result.target = target;
  for (const auto &[name, text] : options)
    if (Status status = readOption(name, text, result))
      return *status;
  if (result.numWarps > 32)
    return badValue("num_warps", std::to_string(result.numWarps), "at most 32");
  if (result.numCtas > 1 && target.capability < 90)
    return Error{ErrorCode::InvalidInput,
                 "option `num_ctas` is above 1; clusters need `cuda:90` or newer", ""};
  return result;
}

} // namespace tilescope::compiler
