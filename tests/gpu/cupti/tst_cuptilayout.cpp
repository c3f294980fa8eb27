// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Compares Jetscope's declarations of CUPTI's binary interface with the headers of the toolkit that this build found.
#include "gpu/cupti/cuptiabi.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/gpuactivity.h"
#include "gpu/cupti/recorddecoder.h"

#include <cupti.h>

#include <QTest>

#include <cstring>
#include <type_traits>

using namespace jetscope;

namespace {

// The newest version of each, and those of CUDA 12.2 if the headers still have them.
#if CUPTI_API_VERSION >= 130000
using NewestKernel = CUpti_ActivityKernel10;
#else
using NewestKernel = CUpti_ActivityKernel9;
#endif
#if CUPTI_API_VERSION >= 26
using NewestMemcpy = CUpti_ActivityMemcpy6;
#else
using NewestMemcpy = CUpti_ActivityMemcpy5;
#endif

template <class Theirs>
void compareTimes(const Theirs *, std::size_t start, std::size_t device)
{
    QCOMPARE(offsetof(Theirs, kind), std::size_t(0));
    QCOMPARE(offsetof(Theirs, start), start);
    QCOMPARE(offsetof(Theirs, end), start + 8);
    QCOMPARE(offsetof(Theirs, deviceId), device);
    QCOMPARE(offsetof(Theirs, contextId), device + 4);
    QCOMPARE(offsetof(Theirs, streamId), device + 8);
}

template <class Kernel>
void compareKernel()
{
    using Ours = cupti::KernelRecord;
    compareTimes(static_cast<Kernel *>(nullptr), offsetof(Ours, start), offsetof(Ours, deviceId));
    QCOMPARE(offsetof(Kernel, completed), offsetof(Ours, completed));
    QCOMPARE(offsetof(Kernel, gridX), offsetof(Ours, grid));
    QCOMPARE(offsetof(Kernel, blockX), offsetof(Ours, block));
    QCOMPARE(offsetof(Kernel, registersPerThread), offsetof(Ours, registersPerThread));
    QCOMPARE(offsetof(Kernel, correlationId), offsetof(Ours, correlationId));
    QCOMPARE(offsetof(Kernel, gridId), offsetof(Ours, gridId));
    QCOMPARE(offsetof(Kernel, name), offsetof(Ours, name));
    QVERIFY(sizeof(Kernel) >= sizeof(Ours));
}

template <class Memcpy>
void compareMemcpy()
{
    using Ours = cupti::MemcpyRecord;
    compareTimes(static_cast<Memcpy *>(nullptr), offsetof(Ours, start), offsetof(Ours, deviceId));
    QCOMPARE(offsetof(Memcpy, copyKind), offsetof(Ours, copyKind));
    QCOMPARE(offsetof(Memcpy, srcKind), offsetof(Ours, sourceKind));
    QCOMPARE(offsetof(Memcpy, dstKind), offsetof(Ours, targetKind));
    QCOMPARE(offsetof(Memcpy, bytes), offsetof(Ours, bytes));
    QCOMPARE(offsetof(Memcpy, correlationId), offsetof(Ours, correlationId));
    QVERIFY(sizeof(Memcpy) >= sizeof(Ours));
}

} // namespace

class TestCuptiLayout : public QObject {
    Q_OBJECT

private slots:
    void kernels();
    void copies();
    void memsets();
    void callsAndWaits();
    void memoryOperations();
    void callbacks();
    void numbers();
    void functions();
    void thisRelease();
    void theRealLibraryWalksRealRecords();
};

void TestCuptiLayout::kernels()
{
    compareKernel<CUpti_ActivityKernel9>();
    compareKernel<NewestKernel>();
}

void TestCuptiLayout::copies()
{
    compareMemcpy<CUpti_ActivityMemcpy5>();
    compareMemcpy<NewestMemcpy>();
}

void TestCuptiLayout::memsets()
{
    using Ours = cupti::MemsetRecord;
    using Theirs = CUpti_ActivityMemset4;
    compareTimes(static_cast<Theirs *>(nullptr), offsetof(Ours, start), offsetof(Ours, deviceId));
    QCOMPARE(offsetof(Theirs, value), offsetof(Ours, value));
    QCOMPARE(offsetof(Theirs, bytes), offsetof(Ours, bytes));
    QCOMPARE(offsetof(Theirs, correlationId), offsetof(Ours, correlationId));
    QVERIFY(sizeof(Theirs) >= sizeof(Ours));
}

namespace {

template <class Theirs>
void compareSync()
{
    using Ours = cupti::SyncRecord;
    QCOMPARE(offsetof(Theirs, type), offsetof(Ours, type));
    QCOMPARE(offsetof(Theirs, start), offsetof(Ours, start));
    QCOMPARE(offsetof(Theirs, end), offsetof(Ours, end));
    QCOMPARE(offsetof(Theirs, correlationId), offsetof(Ours, correlationId));
    QCOMPARE(offsetof(Theirs, contextId), offsetof(Ours, contextId));
    QCOMPARE(offsetof(Theirs, streamId), offsetof(Ours, streamId));
    QCOMPARE(offsetof(Theirs, cudaEventId), offsetof(Ours, eventId));
    QVERIFY(sizeof(Theirs) >= sizeof(Ours));
}

template <class Theirs>
void compareMemory()
{
    using Ours = cupti::MemoryRecord;
    QCOMPARE(offsetof(Theirs, memoryOperationType), offsetof(Ours, operation));
    QCOMPARE(offsetof(Theirs, memoryKind), offsetof(Ours, memoryKind));
    QCOMPARE(offsetof(Theirs, correlationId), offsetof(Ours, correlationId));
    QCOMPARE(offsetof(Theirs, address), offsetof(Ours, address));
    QCOMPARE(offsetof(Theirs, bytes), offsetof(Ours, bytes));
    QCOMPARE(offsetof(Theirs, timestamp), offsetof(Ours, timestamp));
    QCOMPARE(offsetof(Theirs, deviceId), offsetof(Ours, deviceId));
    QCOMPARE(offsetof(Theirs, contextId), offsetof(Ours, contextId));
    QCOMPARE(offsetof(Theirs, streamId), offsetof(Ours, streamId));
    QVERIFY(sizeof(Theirs) >= sizeof(Ours));
}

} // namespace

void TestCuptiLayout::callsAndWaits()
{
    using Ours = cupti::CallRecord;
    using Theirs = CUpti_ActivityAPI;
    QCOMPARE(offsetof(Theirs, cbid), offsetof(Ours, callbackId));
    QCOMPARE(offsetof(Theirs, start), offsetof(Ours, start));
    QCOMPARE(offsetof(Theirs, end), offsetof(Ours, end));
    QCOMPARE(offsetof(Theirs, processId), offsetof(Ours, processId));
    QCOMPARE(offsetof(Theirs, threadId), offsetof(Ours, threadId));
    QCOMPARE(offsetof(Theirs, correlationId), offsetof(Ours, correlationId));
    QCOMPARE(sizeof(Theirs), sizeof(Ours));
    compareSync<CUpti_ActivitySynchronization>();
#if CUPTI_API_VERSION >= 26
    compareSync<CUpti_ActivitySynchronization2>();
#endif
}

void TestCuptiLayout::memoryOperations()
{
    compareMemory<CUpti_ActivityMemory3>();
#if CUPTI_API_VERSION >= 130000
    compareMemory<CUpti_ActivityMemory4>();
#endif
}

void TestCuptiLayout::callbacks()
{
    using Ours = jsc_callback_data;
    using Theirs = CUpti_CallbackData;
    QCOMPARE(offsetof(Theirs, callbackSite), offsetof(Ours, site));
    QCOMPARE(offsetof(Theirs, context), offsetof(Ours, context));
    QCOMPARE(offsetof(Theirs, correlationId), offsetof(Ours, correlationId));
    QVERIFY(sizeof(Theirs) >= sizeof(Ours));
    QCOMPARE(int(CUPTI_CB_DOMAIN_DRIVER_API), JSC_DOMAIN_DRIVER);
    QCOMPARE(int(CUPTI_API_ENTER), JSC_SITE_ENTER);
    QCOMPARE(sizeof(CUpti_CallbackDomain), sizeof(int));
    QCOMPARE(sizeof(CUpti_CallbackId), sizeof(std::uint32_t));
}

void TestCuptiLayout::numbers()
{
    const std::pair<int, int> numbers[] = {
        {cupti::kSuccess, CUPTI_SUCCESS},
        {cupti::kOutOfMemory, CUPTI_ERROR_OUT_OF_MEMORY},
        {cupti::kMaxLimitReached, CUPTI_ERROR_MAX_LIMIT_REACHED},
        {cupti::kNotCompatible, CUPTI_ERROR_NOT_COMPATIBLE},
        {cupti::kNotInitialized, CUPTI_ERROR_NOT_INITIALIZED},
        {cupti::kInvalidKind, CUPTI_ERROR_INVALID_KIND},
        {cupti::kHardwareBusy, CUPTI_ERROR_HARDWARE_BUSY},
        {cupti::kNotSupported, CUPTI_ERROR_NOT_SUPPORTED},
        {cupti::kVirtualizedDeviceNotSupported, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
        {cupti::kInsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES},
        {cupti::kOldProfilerInitialized, CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED},
        {cupti::kMultipleSubscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED},
        {cupti::kVirtualizedDevicePrivileges, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES},
        {cupti::kConfidentialComputing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
        {cupti::kMiningDevice, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED},
        {cupti::kMigDevice, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED},
        {cupti::kSliDevice, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED},
        {cupti::kWslDevice, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED},
        {cupti::kUnknown, CUPTI_ERROR_UNKNOWN},
        {cupti::kMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY},
        {cupti::kMemset, CUPTI_ACTIVITY_KIND_MEMSET},
        {cupti::kConcurrentKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
        {cupti::kDriver, CUPTI_ACTIVITY_KIND_DRIVER},
        {cupti::kRuntime, CUPTI_ACTIVITY_KIND_RUNTIME},
        {cupti::kSynchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
        {cupti::kMemory2, CUPTI_ACTIVITY_KIND_MEMORY2},
        {JSC_THREAD_IDS_OF_SYSTEM, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM},
        {cupti::kFlushForced, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED},
        {int(GpuCopy::Unknown), CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN},
        {int(GpuCopy::HostToDevice), CUPTI_ACTIVITY_MEMCPY_KIND_HTOD},
        {int(GpuCopy::DeviceToHost), CUPTI_ACTIVITY_MEMCPY_KIND_DTOH},
        {int(GpuCopy::HostToArray), CUPTI_ACTIVITY_MEMCPY_KIND_HTOA},
        {int(GpuCopy::ArrayToHost), CUPTI_ACTIVITY_MEMCPY_KIND_ATOH},
        {int(GpuCopy::ArrayToArray), CUPTI_ACTIVITY_MEMCPY_KIND_ATOA},
        {int(GpuCopy::ArrayToDevice), CUPTI_ACTIVITY_MEMCPY_KIND_ATOD},
        {int(GpuCopy::DeviceToArray), CUPTI_ACTIVITY_MEMCPY_KIND_DTOA},
        {int(GpuCopy::DeviceToDevice), CUPTI_ACTIVITY_MEMCPY_KIND_DTOD},
        {int(GpuCopy::HostToHost), CUPTI_ACTIVITY_MEMCPY_KIND_HTOH},
        {int(GpuCopy::PeerToPeer), CUPTI_ACTIVITY_MEMCPY_KIND_PTOP},
    };
    for (const auto &[ours, theirs] : numbers)
        QCOMPARE(ours, theirs);
}

namespace {

/// Whether a function of CUPTI may be called through our declaration: the same number of arguments, each of the same
/// size and kind.
template <class Ours, class Theirs>
constexpr bool isSameCall = false;
template <class OurResult, class... Ours, class TheirResult, class... Theirs>
constexpr bool isSameCall<OurResult (*)(Ours...), TheirResult(Theirs...)> = sizeof...(Ours) == sizeof...(Theirs)
    && sizeof(OurResult) == sizeof(TheirResult)
    && ((sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>)&&...);

using Api = cupti::Api;
static_assert(isSameCall<decltype(Api::getVersion), decltype(cuptiGetVersion)>);
static_assert(isSameCall<decltype(Api::getResultString), decltype(cuptiGetResultString)>);
static_assert(isSameCall<decltype(Api::registerTimestampCallback), decltype(cuptiActivityRegisterTimestampCallback)>);
static_assert(isSameCall<decltype(Api::registerCallbacks), decltype(cuptiActivityRegisterCallbacks)>);
static_assert(isSameCall<decltype(Api::enable), decltype(cuptiActivityEnable)>);
static_assert(isSameCall<decltype(Api::disable), decltype(cuptiActivityDisable)>);
static_assert(isSameCall<decltype(Api::flushAll), decltype(cuptiActivityFlushAll)>);
static_assert(isSameCall<decltype(Api::getNextRecord), decltype(cuptiActivityGetNextRecord)>);
static_assert(isSameCall<decltype(Api::getDroppedRecords), decltype(cuptiActivityGetNumDroppedRecords)>);
static_assert(isSameCall<decltype(Api::getStreamId), decltype(cuptiGetStreamIdEx)>);

} // namespace

void TestCuptiLayout::functions()
{
    // The callbacks, which CUPTI calls. The signatures above are compared at compile time.
    QVERIFY((std::is_same_v<CUpti_TimestampCallbackFunc, uint64_t (*)()>));
    QVERIFY((std::is_same_v<CUpti_BuffersCallbackRequestFunc, void (*)(uint8_t **, size_t *, size_t *)>));
    QVERIFY(
        (std::is_same_v<CUpti_BuffersCallbackCompleteFunc, void (*)(CUcontext, uint32_t, uint8_t *, size_t, size_t)>));
}

void TestCuptiLayout::thisRelease()
{
    QVERIFY(!cuptiVersionText(CUPTI_API_VERSION).empty());
}

void TestCuptiLayout::theRealLibraryWalksRealRecords()
{
    // Needs no GPU: the records are written by hand according to the headers, and CUPTI's own function iterates over
    // them.
    std::optional<CuptiLibrary> library;
    for (const std::string &path : cuptiCandidates())
        if (const Result<CuptiLibrary> loaded = CuptiLibrary::load(path); loaded.ok() && !library)
            library.emplace(loaded.value());
    if (!library || library->version() != CUPTI_API_VERSION)
        QSKIP("the library that belongs to the headers is not here");
    alignas(8) std::uint8_t buffer[4096] = {};
    std::size_t filled = 0;
    const auto put = [&](const auto &record) {
        std::memcpy(buffer + filled, &record, sizeof record);
        filled += sizeof record;
    };
    NewestKernel kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = 100;
    kernel.end = 200;
    kernel.streamId = 7;
    kernel.name = "_ZN8jetscope5marchEv";
    NewestMemcpy copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.start = copy.end = 300;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOA;
    CUpti_ActivityMemset4 fill{};
    fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    fill.start = fill.end = 400;
    fill.bytes = 99;
    put(kernel);
    put(copy);
    put(kernel);
    put(fill);
    put(copy);
    RecordDecoder decoder;
    std::vector<GpuActivity> activities;
    CuptiCounters counters;
    decoder.decode(library->api(), buffer, filled, {1, 1'000}, activities, counters);
    QCOMPARE(counters.damaged + counters.unknown, std::uint64_t(0));
    QCOMPARE(activities.size(), std::size_t(5));
    QVERIFY(activities[2].ours && activities[2].streamId == 7 && activities[2].endNs == 200);
    QCOMPARE(activities[3].bytes, std::uint64_t(99));
    QCOMPARE(activities[4].copy, GpuCopy::HostToArray);
}

QTEST_GUILESS_MAIN(TestCuptiLayout)
#include "tst_cuptilayout.moc"
