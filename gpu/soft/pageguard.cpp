// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/pageguard.h"

#include "core/recording/tracer.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>

#include <sys/mman.h>

namespace jetscope {

namespace {

// The fault handler may run at any instruction of any thread. So all of its data is preallocated and atomic: it takes
// no lock, allocates nothing and formats nothing.
struct Range {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::uint32_t> kernelFrame{kNoFrame};
    std::atomic<std::int64_t> launchNs{0};
};
constexpr std::size_t kMaxRanges = 128;
Range ranges[kMaxRanges];

struct Record {
    std::atomic<std::uintptr_t> address{0}; ///< 0 while unused; set last.
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<FaultAccess> access{FaultAccess::Unknown};
    std::atomic<std::uintptr_t> code{0};
    std::atomic<std::uint32_t> frame{kNoFrame};
    std::atomic<LaneRole> role{LaneRole::Tool};
    std::atomic<std::int64_t> timeNs{0};
    std::atomic<std::uint32_t> kernelFrame{kNoFrame};
    std::atomic<std::int64_t> launchNs{0};
};
constexpr std::size_t kMaxRecords = 256;
Record records[kMaxRecords];
std::atomic<std::size_t> nextRecord{0};

struct sigaction previousHandler;

Range *rangeOf(std::uintptr_t address)
{
    for (Range &range : ranges) {
        const std::uintptr_t begin = range.begin.load(std::memory_order_acquire);
        if (begin != 0 && address >= begin && address - begin < range.bytes.load(std::memory_order_relaxed))
            return &range;
    }
    return nullptr;
}

void passOn(int signal, siginfo_t *info, void *context)
{
    if ((previousHandler.sa_flags & SA_SIGINFO) != 0 && previousHandler.sa_sigaction) {
        previousHandler.sa_sigaction(signal, info, context);
        return;
    }
    if (previousHandler.sa_handler != SIG_DFL && previousHandler.sa_handler != SIG_IGN) {
        previousHandler.sa_handler(signal);
        return;
    }
    // Returning repeats the access, now with the previous action.
    sigaction(signal, &previousHandler, nullptr);
}

/// As nowNs, whose calibrated counter keeps state that a signal handler must not touch.
std::int64_t monotonicNs()
{
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void onFault(int signal, siginfo_t *info, void *context)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    Range *range = rangeOf(address);
    if (!range) {
        passOn(signal, info, context);
        return;
    }
    const std::uintptr_t begin = range->begin.load(std::memory_order_relaxed);
    // When the records are full, further accesses are allowed without a record: 256 between two reads are enough.
    const std::size_t slot = nextRecord.fetch_add(1, std::memory_order_relaxed);
    if (slot < kMaxRecords) {
        records[slot].begin.store(begin, std::memory_order_relaxed);
        records[slot].access.store(faultAccess(context), std::memory_order_relaxed);
        records[slot].code.store(faultCode(context), std::memory_order_relaxed);
        const ThreadRecorder *const recorder = ThreadRecorder::current();
        records[slot].frame.store(recorder ? recorder->frame() : kNoFrame, std::memory_order_relaxed);
        records[slot].role.store(recorder ? recorder->role() : LaneRole::Tool, std::memory_order_relaxed);
        records[slot].timeNs.store(monotonicNs(), std::memory_order_relaxed);
        records[slot].kernelFrame.store(range->kernelFrame.load(std::memory_order_relaxed), std::memory_order_relaxed);
        records[slot].launchNs.store(range->launchNs.load(std::memory_order_relaxed), std::memory_order_relaxed);
        records[slot].address.store(address, std::memory_order_release);
    }
    mprotect(reinterpret_cast<void *>(begin), range->bytes.load(std::memory_order_relaxed), PROT_READ | PROT_WRITE);
}

Range *rangeAt(const void *memory)
{
    return rangeOf(reinterpret_cast<std::uintptr_t>(memory));
}

std::mutex tableMutex; ///< Serialises writers of `ranges`; the handler does not use it.

} // namespace

PageGuard &PageGuard::instance()
{
    static PageGuard guard;
    return guard;
}

PageGuard::PageGuard()
{
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previousHandler);
}

bool PageGuard::add(void *memory, std::size_t bytes)
{
    const std::lock_guard lock(tableMutex);
    for (Range &range : ranges) {
        if (range.begin.load(std::memory_order_relaxed) != 0)
            continue;
        range.bytes.store(bytes, std::memory_order_relaxed);
        range.begin.store(reinterpret_cast<std::uintptr_t>(memory), std::memory_order_release);
        return true;
    }
    return false;
}

void PageGuard::remove(void *memory)
{
    const std::lock_guard lock(tableMutex);
    if (Range *range = rangeAt(memory))
        range->begin.store(0, std::memory_order_release);
}

void PageGuard::allow(void *memory)
{
    if (Range *range = rangeAt(memory))
        mprotect(memory, range->bytes.load(std::memory_order_relaxed), PROT_READ | PROT_WRITE);
}

void PageGuard::protect(void *memory)
{
    Range *range = rangeAt(memory);
    if (!range)
        return;
    const ThreadRecorder *const recorder = ThreadRecorder::current();
    range->kernelFrame.store(recorder ? recorder->frame() : kNoFrame, std::memory_order_relaxed);
    range->launchNs.store(monotonicNs(), std::memory_order_relaxed);
    mprotect(memory, range->bytes.load(std::memory_order_relaxed), PROT_NONE);
}

std::vector<PageGuard::Touch> PageGuard::takeTouches()
{
    std::vector<Touch> touches;
    if (nextRecord.load(std::memory_order_acquire) == 0)
        return touches;
    for (Record &record : records) {
        const std::uintptr_t address = record.address.exchange(0, std::memory_order_acquire);
        if (address == 0)
            continue;
        const std::uintptr_t begin = record.begin.load(std::memory_order_relaxed);
        touches.push_back(
            {reinterpret_cast<const void *>(begin), address - begin, record.access.load(std::memory_order_relaxed),
             record.code.load(std::memory_order_relaxed), record.frame.load(std::memory_order_relaxed),
             record.role.load(std::memory_order_relaxed), record.timeNs.load(std::memory_order_relaxed),
             record.kernelFrame.load(std::memory_order_relaxed), record.launchNs.load(std::memory_order_relaxed)});
    }
    nextRecord.store(0, std::memory_order_release);
    return touches;
}

} // namespace jetscope
