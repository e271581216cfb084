// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// How JSON from outside is read: bounded before it is parsed, and with numbers that fit the place
/// that they go to.
namespace tilescope::profiler {

struct JsonLimits {
  size_t maxBytes = size_t(64) << 20;
  /// Arrays and objects inside each other. The library's printer and destructor recurse.
  size_t maxDepth = 64;
};

/// The document. The error says why there is none; with the bytes' place for what is not JSON.
Result<nlohmann::json> parseJson(std::string_view text, const JsonLimits &limits = {});

/// What `read` makes of the document, which it refuses by an exception, as `jsonAs` does. The error
/// says `not NAME: why`.
template <typename Read>
auto readJson(std::string_view text, const std::string &name, const Read &read)
    -> Result<std::invoke_result_t<Read, const nlohmann::json &>> {
  const auto refuse = [&name](const std::string &why) {
    return Error{ErrorCode::InvalidInput, "not " + name + ": " + why, ""};
  };
  const Result<nlohmann::json> document = parseJson(text);
  if (!document)
    return refuse(document.error().message);
  try {
    return read(*document);
  } catch (const std::exception &failure) {
    return refuse(failure.what());
  }
}

/// A real number; JSON has neither infinities nor NaN, so they are the strings `inf`, `-inf`,
/// `nan`.
nlohmann::json realToJson(double value);

/// The value as `T`: bool, integers, double, std::string, and vectors, arrays and maps by name of
/// these. Throws an exception of the standard library or of nlohmann-json when it is of another
/// kind or does not fit.
template <typename T> T jsonAs(const nlohmann::json &value);
/// The value at `key`; `fallback` when there is none.
template <typename T> T jsonOr(const nlohmann::json &object, const char *key, T fallback);

template <typename T> struct JsonReader {
  static T read(const nlohmann::json &value) { return value.get<T>(); }
};
template <> struct JsonReader<double> { static double read(const nlohmann::json &value); };
template <std::integral T>
requires(!std::same_as<T, bool>) struct JsonReader<T> {
  static T read(const nlohmann::json &value) {
    // Conversions of the library wrap around, and those of large reals are undefined.
    if (value.is_number_unsigned() && std::in_range<T>(value.get<uint64_t>()))
      return T(value.get<uint64_t>());
    if (value.is_number_integer() && !value.is_number_unsigned() &&
        std::in_range<T>(value.get<int64_t>()))
      return T(value.get<int64_t>());
    throw std::out_of_range("`" + value.dump().substr(0, 40) +
                            "` is not an integer that fits here");
  }
};
template <typename T> struct JsonReader<std::vector<T>> {
  static std::vector<T> read(const nlohmann::json &value) {
    if (!value.is_array())
      throw std::invalid_argument("expected a list");
    std::vector<T> result;
    for (const nlohmann::json &each : value)
      result.push_back(jsonAs<T>(each));
    return result;
  }
};
template <typename T, size_t N> struct JsonReader<std::array<T, N>> {
  static std::array<T, N> read(const nlohmann::json &value) {
    const std::vector<T> list = jsonAs<std::vector<T>>(value);
    if (list.size() != N)
      throw std::invalid_argument("expected a list of " + std::to_string(N));
    std::array<T, N> result;
    std::copy(list.begin(), list.end(), result.begin());
    return result;
  }
};
template <typename T> struct JsonReader<std::map<std::string, T>> {
  static std::map<std::string, T> read(const nlohmann::json &value) {
    if (!value.is_object())
      throw std::invalid_argument("expected an object");
    std::map<std::string, T> result;
    for (const auto &[name, each] : value.items())
      result.emplace(name, jsonAs<T>(each));
    return result;
  }
};

template <typename T> T jsonAs(const nlohmann::json &value) { return JsonReader<T>::read(value); }

template <typename T> T jsonOr(const nlohmann::json &object, const char *key, T fallback) {
  const auto found = object.find(key);
  return found == object.end() ? std::move(fallback) : jsonAs<T>(*found);
}

} // namespace tilescope::profiler
