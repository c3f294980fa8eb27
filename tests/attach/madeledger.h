// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/callledger.h"
#include "judged.h"
#include "madecall.h"

inline constexpr std::uint64_t kBlocking = 0x500000;
inline constexpr std::uint64_t kFree = 0x600000;

using MadeLedger = Judged<jetscope::CallLedger>;

/// Two streams, and 4096 bytes of device memory.
inline MadeLedger twoStreams()
{
    MadeLedger ledger;
    ledger.take(madeCall(JSA_CALL_cuStreamCreate, 100, {kBlocking, 0}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamCreate, 200, {kFree, 1}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, 300, {0x10000, 4096}), 1, 1, 0);
    return ledger;
}

inline jetscope::AttachEvent copyIn(std::uint64_t stream)
{
    return madeCall(JSA_CALL_cuMemcpyHtoDAsync_v2, 400, {stream, 0x10000, 0x90000, 64, JSA_COPY_TO_DEVICE});
}

inline jetscope::AttachEvent copyOut(std::uint64_t stream)
{
    return madeCall(JSA_CALL_cuMemcpyDtoHAsync_v2, 500, {stream, 0xA0000, 0x10000, 64, JSA_COPY_TO_HOST});
}
