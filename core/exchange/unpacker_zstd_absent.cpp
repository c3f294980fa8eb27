// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/unpacker.h"

namespace jetscope {

// For builds without libzstd.
std::unique_ptr<Unpacker> zstdUnpacker()
{
    return nullptr;
}

bool readsZstd()
{
    return false;
}

} // namespace jetscope
