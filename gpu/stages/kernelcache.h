// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/filecache.h"

namespace jetscope {

/// Machine code of own kernels that passed its trial.
class KernelCache : public FileCache {
public:
    static KernelCache ofThisUser() { return KernelCache(folderOfThisUser("kernels")); }
    /// An empty folder keeps nothing.
    explicit KernelCache(std::string folder) : FileCache(std::move(folder), ".cubin") {}
};

} // namespace jetscope
