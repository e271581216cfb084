// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_CACHE_POLICY_TD
#define TILESCOPE_TT_CACHE_POLICY_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialects/tt/ir/TritonDialect.td"

def TT_CachePolicy : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "which caches an access uses, and how soon they may drop its lines";
  let description = [{
    Since 3.9 Triton writes in one attribute what accesses keep in two, `cache` and `evict`. It occurs in text only.

    `{cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>}`
  }];
  let parameters = (ins "::tilescope::tt::CacheModifier":$cache_modifier,
                    "::tilescope::tt::EvictionPolicy":$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
