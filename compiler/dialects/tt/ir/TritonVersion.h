// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which release of Triton a module is printed for. Notations that changed between releases are all
// read; what is printed is read by the release that is asked for.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/DialectInterface.h"

#include <compare>
#include <optional>

namespace tilescope::tt {

struct TritonVersion {
  int major = 3, minor = 6;
  auto operator<=>(const TritonVersion &) const = default;
};

/// The releases whose notation is known: blocks of descriptors without `tensor<>`, and clusters of
/// tensor memory as `CGALayout`, since 3.8; parts of tensor memory along any dimension, and one
/// attribute for the policy of caches, since 3.9.
inline constexpr TritonVersion kBareDescriptors{3, 8}, kTensorMemoryClusters{3, 8},
    kTensorMemoryParts{3, 9}, kJointCachePolicy{3, 9}, kNewestTriton{3, 9};

/// From `3.8`, or `newest`; nothing for other texts and for releases before 3.6 or unknown ones.
std::optional<TritonVersion> parseTritonVersion(llvm::StringRef text);

/// What a context's modules are printed for.
class PrintedVersion : public mlir::DialectInterface::Base<PrintedVersion> {
public:
  explicit PrintedVersion(mlir::Dialect *dialect) : Base(dialect) {}

  static TritonVersion of(mlir::MLIRContext *context);
  /// Loads the dialect `tt`.
  static void set(mlir::MLIRContext &context, TritonVersion version);

private:
  TritonVersion m_version;
};

} // namespace tilescope::tt
