// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What Triton leaves behind when it compiles: one folder per kernel with a file per stage and the
// facts of the launch as JSON.
//
//   OC3…/softmax.ttir  softmax.ttgir  softmax.llir  softmax.ptx  softmax.cubin  softmax.json
//
//   {"target": {"backend": "cuda", "arch": 90, …}, "num_warps": 4, "num_stages": 3, "num_ctas": 1,
//    "shared": 512, "name": "softmax", …}
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// One kernel of a cache folder.
struct CachedKernel {
  /// The stem of its files, after the subfolder if they lie in one.
  std::string name;
  /// The stages that are there: TTIR to PTX, cubin.
  std::map<compiler::StageId, std::string> paths;
  /// Target and options as the JSON states them, to be used where the user says nothing else.
  compiler::Selection selection;

  /// The file of the earliest stage from which it compiles onward; empty when there is none.
  std::string entryFile() const;
};

/// The kernels of which `folder` holds stages, by name; when it holds none itself, those of its
/// subfolders, as the cache as a whole has them. None: it is not a cache folder.
std::vector<CachedKernel> cachedKernels(const std::string &folder);

/// What the JSON beside an IR file (`softmax.json` beside `softmax.ttgir`) states; empty when there
/// is none, or it is about something else.
compiler::Selection metadataBeside(const std::string &path);

/// Fills what `chosen` leaves open from `facts`.
void completeSelection(compiler::Selection &chosen, const compiler::Selection &facts);

} // namespace tilescope::app
