// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/model/GuessedExtents.h"

#include <algorithm>
#include <array>

namespace tilescope::app {

static constexpr int64_t kSequence = 128;

namespace {
struct ImageSize {
  int64_t height, width;
};
} // namespace

/// Of classifiers, of lines of text, and small ones.
static constexpr std::array<ImageSize, 5> kImageSizes{
    {{224, 224}, {48, 320}, {640, 640}, {64, 64}, {32, 32}}};

/// Of the first place where an input's extent is the name.
static int64_t guess(const compiler::ModelResult &model, const std::string &symbol,
                     const ImageSize &image) {
  for (const compiler::ModelTensor &input : model.inputs) {
    const auto place = std::ranges::find(input.extents, symbol);
    if (place == input.extents.end())
      continue;
    const auto axis = place - input.extents.begin();
    const auto rank = static_cast<std::ptrdiff_t>(input.extents.size());
    if (axis == 0)
      return 1;
    if (rank == 4 && axis >= 2)
      return axis == 2 ? image.height : image.width;
    return kSequence;
  }
  return 1;
}

std::vector<ModelExtents> guessedExtents(const compiler::ModelResult &model) {
  std::vector<ModelExtents> all;
  if (model.symbols.empty())
    return all;
  for (const ImageSize &image : kImageSizes) {
    ModelExtents extents;
    for (const std::string &symbol : model.symbols)
      extents.emplace_back(symbol, guess(model, symbol, image));
    if (std::ranges::find(all, extents) == all.end())
      all.push_back(std::move(extents));
  }
  return all;
}

} // namespace tilescope::app
