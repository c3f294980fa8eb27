// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/callloops.h"
#include "core/exchange/nsysschema.h"
#include "core/system/database.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace jetscope {

/// The stacks of CUDA calls in an Nsight Systems export (CUDA_CALLCHAINS, written with --cudabacktrace). Not
/// thread-safe.
class NsysStacks {
public:
    using Texts = std::unordered_map<std::int64_t, std::string>; ///< Of StringIds.

    /// `texts` must not be destroyed before this.
    Status read(Database &database, const NsysSchema &schema, const Texts &texts);
    /// The stack of a call by its callchainId; a hash of 0 if there is none.
    CallPlace placeOf(std::int64_t callChain) const;

private:
    struct Stack {
        std::uint64_t hash = 0;
        std::int64_t depth = 0;            ///< Of the function that the place is named after.
        const std::string *name = nullptr; ///< Its name.
    };
    std::unordered_map<std::int64_t, Stack> m_stacks;
};

} // namespace jetscope
