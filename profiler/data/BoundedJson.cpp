// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/BoundedJson.h"

#include <cmath>
#include <limits>
#include <optional>

namespace tilescope::profiler {

using nlohmann::json;

/// The deepest nesting of brackets, except those in strings.
static size_t depthOf(std::string_view text, size_t limit) {
  size_t depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size() && deepest <= limit; ++i) {
    const char c = text[i];
    if (inString) {
      i += c == '\\' ? 1 : 0;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

/// The library's message without its own name and number:
/// `[json.exception.parse_error.101] parse error at line 1, column 2: …`.
static std::string reasonOf(const json::exception &failure) {
  const std::string_view text = failure.what();
  const size_t end = text.find("] ");
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

Result<json> parseJson(std::string_view text, const JsonLimits &limits) {
  const auto refuse = [](std::string why) {
    return Error{ErrorCode::InvalidInput, std::move(why), ""};
  };
  if (text.size() > limits.maxBytes)
    return refuse("the JSON is larger than " + std::to_string(limits.maxBytes >> 20) + " MiB");
  if (depthOf(text, limits.maxDepth) > limits.maxDepth)
    return refuse("the JSON is nested more than " + std::to_string(limits.maxDepth) + " deep");
  try {
    return json::parse(text);
  } catch (const json::exception &failure) {
    return refuse("not JSON: " + reasonOf(failure));
  } catch (const std::bad_alloc &) {
    return refuse("the JSON does not fit into memory");
  }
}

json realToJson(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double JsonReader<double>::read(const json &value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!value.is_string())
    return value.get<double>();
  const std::string &word = value.get_ref<const std::string &>();
  if (word == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf" || word == "-inf")
    return word == "inf" ? kInfinity : -kInfinity;
  throw std::invalid_argument("`" + word.substr(0, 40) + "` is not a number");
}

} // namespace tilescope::profiler
