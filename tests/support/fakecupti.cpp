// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Fake libcupti; fakecupti.h documents its settings.
#include "tests/support/fakecupti.h"

#include "gpu/cupti/cuptiabi.h"
#include "tests/support/fakecuptidriver.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

using namespace jetscope;
using jetscope::testing::fakeCuptiSetting;
using jetscope::testing::FakeCuptiUse;
using jetscope::testing::FakeRecord;

namespace {

struct HeldBuffer {
    std::uint8_t *memory = nullptr;
    std::size_t size = 0;
    std::size_t filled = 0;
};

struct Fake {
    std::mutex mutex; ///< Held during callbacks; callbacks only call functions that do not lock it.
    std::string settings;
    cupti::Timestamp clock = nullptr;
    cupti::BufferRequested requested = nullptr;
    cupti::BufferCompleted completed = nullptr;
    FakeCuptiUse use;
    std::uint64_t enabled = 0; ///< One bit per kind.
    std::set<std::uint32_t> enabledCalls;
    cupti::Callback callback = nullptr; ///< Of the only subscriber.
    std::set<std::uint32_t> calledBack;
    std::deque<HeldBuffer> buffers; ///< The last buffer is being filled.
    std::atomic<std::size_t> dropped{0};
    std::atomic<std::uint32_t> layout{13};
    std::atomic<char> walk{0};
    std::uint32_t correlation = 0;
    bool wantsZeros = false;
};

Fake &fake()
{
    static Fake *const one = new Fake;
    return *one;
}

} // namespace

std::string jetscope::testing::fakeCuptiSetting(const std::string &name)
{
    const std::string all = "," + fake().settings + ",";
    const std::size_t at = all.find("," + name + "=");
    if (at == std::string::npos)
        return {};
    const std::size_t from = at + name.size() + 2;
    return all.substr(from, all.find(',', from) - from);
}

namespace {

std::size_t number(const std::string &name, std::size_t otherwise)
{
    const std::string value = fakeCuptiSetting(name);
    return value.empty() ? otherwise : std::strtoul(value.c_str(), nullptr, 10);
}

void misbehaveAt(const char *place)
{
    if (fakeCuptiSetting("crash") == place) {
        std::signal(SIGSEGV, SIG_DFL); // Sanitizers would turn the crash into an exit.
        std::raise(SIGSEGV);
    }
    while (fakeCuptiSetting("hang") == place)
        pause();
}

void adopt(const char *settings)
{
    fake().settings = settings;
    fake().layout = static_cast<std::uint32_t>(number("layout", 13));
    fake().dropped = number("drop", 0);
    fake().walk = fakeCuptiSetting("walk").empty() ? '\0' : fakeCuptiSetting("walk")[0];
}

/// Prints a line that resembles the output of a trial run.
void chatter()
{
    constexpr std::string_view kText = "final by my own account\n";
    if (!fakeCuptiSetting("chatter").empty())
        for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
            static_cast<void>(write(descriptor, kText.data(), kText.size()) + 1);
}

[[gnu::constructor]] void atLoad()
{
    const char *settings = std::getenv("JETSCOPE_FAKE_CUPTI");
    if (const char *own = std::getenv("JETSCOPE_FAKE_CUPTI_PROGRAM"); own && std::getenv("CUDA_INJECTION64_PATH"))
        settings = own;
    adopt(settings ? settings : "");
    chatter();
    misbehaveAt("load");
}

[[gnu::destructor]] void atExit()
{
    chatter();
    misbehaveAt("exit");
}

/// Record sizes of both layouts.
std::size_t sizeOf(std::uint32_t kind)
{
    const bool old = fake().layout == 12;
    switch (kind) {
    case cupti::kConcurrentKernel:
        return old ? 208 : 216;
    case cupti::kMemcpy:
        return old ? 88 : 96;
    case cupti::kMemset:
        return 88;
    case cupti::kDriver:
    case cupti::kRuntime:
        return 40;
    case cupti::kSynchronization:
        return old ? 40 : 56;
    case cupti::kMemory2:
        return old ? 120 : 128;
    default:
        return old ? 48 : 56; // Size of an OVERHEAD record.
    }
}

void complete(HeldBuffer buffer)
{
    --fake().use.heldBuffers;
    fake().completed(nullptr, 0, buffer.memory, buffer.size, buffer.filled);
}

void completeAll()
{
    while (!fake().buffers.empty()) {
        const HeldBuffer buffer = fake().buffers.front();
        fake().buffers.pop_front();
        complete(buffer);
    }
}

bool requestBuffer()
{
    HeldBuffer buffer;
    std::size_t most = 0;
    fake().requested(&buffer.memory, &buffer.size, &most);
    if (!buffer.memory)
        return false;
    const bool isClear = std::all_of(buffer.memory, buffer.memory + buffer.size, [](std::uint8_t b) { return b == 0; });
    if (fake().wantsZeros && !isClear) { // The program's output is compared.
        constexpr std::string_view kText = "a buffer of CUPTI was not cleared\n";
        static_cast<void>(write(STDERR_FILENO, kText.data(), kText.size()) + 1);
    }
    fake().use.buffersFit =
        fake().use.buffersFit && reinterpret_cast<std::uintptr_t>(buffer.memory) % 8 == 0 && buffer.size >= 1024;
    ++fake().use.heldBuffers;
    fake().buffers.push_back(buffer);
    return true;
}

/// Space for a record, in a new buffer if needed. Full buffers are delivered at once unless `hold` is set.
std::uint8_t *roomFor(std::size_t bytes)
{
    if (fake().buffers.empty() || fake().buffers.back().filled + bytes > fake().buffers.back().size) {
        if (fakeCuptiSetting("hold").empty())
            completeAll();
        if (!requestBuffer())
            return nullptr;
    }
    HeldBuffer &buffer = fake().buffers.back();
    std::uint8_t *const room = buffer.memory + buffer.filled;
    buffer.filled += bytes;
    std::memset(room, 0xa5, bytes); // Random content for fields that the code under test must not read.
    return room;
}

template <class Record>
Record commonPart(const FakeRecord &from)
{
    Record record{};
    record.kind = from.kind;
    record.start = from.start;
    record.end = from.end;
    record.deviceId = from.device;
    record.contextId = from.context;
    record.streamId = from.stream;
    record.correlationId = from.correlation;
    return record;
}

void store(const FakeRecord &from)
{
    std::uint8_t *const room = roomFor(sizeOf(from.kind));
    if (!room) {
        ++fake().dropped;
        return;
    }
    if (from.kind == cupti::kConcurrentKernel) {
        auto record = commonPart<cupti::KernelRecord>(from);
        record.name = from.name;
        std::memcpy(room, &record, sizeof record);
    } else if (from.kind == cupti::kMemcpy) {
        auto record = commonPart<cupti::MemcpyRecord>(from);
        record.bytes = from.bytes;
        record.copyKind = from.copyKind;
        std::memcpy(room, &record, sizeof record);
    } else if (from.kind == cupti::kMemset) {
        auto record = commonPart<cupti::MemsetRecord>(from);
        record.bytes = from.bytes;
        std::memcpy(room, &record, sizeof record);
    } else if (from.kind == cupti::kDriver || from.kind == cupti::kRuntime) {
        const cupti::CallRecord record{
            from.kind, 0, from.start, from.end, static_cast<std::uint32_t>(getpid()), from.thread, from.correlation, 0};
        std::memcpy(room, &record, sizeof record);
    } else if (from.kind == cupti::kSynchronization) {
        const cupti::SyncRecord record{from.kind,        from.copyKind, from.start,  from.end,
                                       from.correlation, from.context,  from.stream, 0};
        std::memcpy(room, &record, sizeof record);
    } else if (from.kind == cupti::kMemory2) {
        cupti::MemoryRecord record{};
        record.kind = from.kind;
        record.operation = from.copyKind;
        record.memoryKind = 3; // CUPTI_ACTIVITY_MEMORY_KIND_DEVICE
        record.timestamp = from.start;
        record.bytes = from.bytes;
        std::memcpy(room, &record, sizeof record);
    } else {
        std::memcpy(room, &from.kind, sizeof from.kind);
    }
}

std::uint64_t now()
{
    if (fake().clock && fakeCuptiSetting("times") != "realtime")
        return fake().clock();
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

bool isEnabled(std::uint32_t kind)
{
    return (fake().enabled >> kind & 1u) != 0;
}

void noteEnabled()
{
    fake().use.enabledKinds = static_cast<std::uint32_t>(fake().enabled);
}

void misdate(FakeRecord &record, const std::string &times)
{
    constexpr std::uint32_t kEvery = 10;
    constexpr std::uint64_t kJumpNs = 1'000'000;
    if (times == "zero" || (times == "some" && record.correlation % kEvery == 0))
        record.start = record.end = 0;
    if (times == "reversed")
        std::swap(record.start, record.end);
    if (times == "unordered" && record.correlation % 2 == 0) {
        record.start -= kJumpNs;
        record.end -= kJumpNs;
    }
}

/// cuLaunchKernel, cuMemcpyHtoDAsync_v2, cuMemsetD8_v2; 0 for what submits nothing.
std::uint32_t callbackOf(std::uint32_t kind)
{
    return kind == cupti::kConcurrentKernel ? 307 : kind == cupti::kMemcpy ? 277 : kind == cupti::kMemset ? 249 : 0;
}

/// Inside of a call that submits work, on its thread: around what the driver does.
void callBack(std::uint32_t callback, int site)
{
    if (!fake().callback || fake().calledBack.count(callback) == 0)
        return;
    jsc_callback_data data{};
    data.site = site;
    data.correlationId = fake().correlation;
    fake().callback(nullptr, JSC_DOMAIN_DRIVER, callback, &data);
}

/// Simulates work of the driver that completes at once, submitted by a call of this thread.
void work(FakeRecord record)
{
    const std::lock_guard lock(fake().mutex);
    const std::string times = fakeCuptiSetting("times");
    if (times == "none")
        return;
    record.start = now();
    record.correlation = ++fake().correlation;
    callBack(callbackOf(record.kind), JSC_SITE_ENTER);
    callBack(callbackOf(record.kind), JSC_SITE_ENTER + 1);
    FakeRecord call;
    call.kind = cupti::kDriver;
    call.start = record.start;
    call.end = now();
    if (fakeCuptiSetting("api") == "runtime") { // From before the call that the program's hook sees.
        static thread_local std::uint64_t t_returned = call.start - 1'000'000;
        call.kind = cupti::kRuntime;
        call.start = std::exchange(t_returned, call.end);
    }
    call.correlation = record.correlation;
    call.thread = static_cast<std::uint32_t>(gettid());
    record.end = now() + 1'000;
    if (isEnabled(record.kind)) {
        misdate(record, times);
        store(record);
    }
    if (isEnabled(cupti::kDriver)
        || fake().enabledCalls.count(callbackOf(record.kind)) > 0) // May come behind its work.
        store(call);
}

cupti::ResultCode refusalOf(const std::string &what)
{
    const std::string refused = fakeCuptiSetting("refuse");
    return refused == what || refused == "all" ? static_cast<cupti::ResultCode>(number("code", 999)) : cupti::kSuccess;
}

} // namespace

void jetscope::testing::fakeCuptiWork(std::uint32_t kind, std::uint64_t bytes, const char *name)
{
    FakeRecord record;
    record.kind = kind;
    record.bytes = bytes;
    record.copyKind = 2;
    record.name = name;
    work(record);
}

extern "C" {

cupti::ResultCode cuptiGetVersion(std::uint32_t *version)
{
    misbehaveAt("version");
    *version = static_cast<std::uint32_t>(number("version", fake().layout == 12 ? 20 : 130'000));
    return cupti::kSuccess;
}

cupti::ResultCode cuptiGetResultString(cupti::ResultCode code, const char **text)
{
    *text = code == cupti::kUnknown ? "CUPTI_ERROR_UNKNOWN" : nullptr;
    return *text ? cupti::kSuccess : 1;
}

cupti::ResultCode cuptiActivityRegisterTimestampCallback(cupti::Timestamp clock)
{
    misbehaveAt("clock");
    const std::lock_guard lock(fake().mutex);
    fake().use.clockCameFirst = fake().use.clockCameFirst && fake().use.enabledKinds == 0;
    fake().clock = clock;
    return refusalOf("clock");
}

cupti::ResultCode cuptiActivityRegisterCallbacks(cupti::BufferRequested requested, cupti::BufferCompleted completed)
{
    misbehaveAt("callbacks");
    const std::lock_guard lock(fake().mutex);
    fake().requested = requested;
    fake().completed = completed;
    return refusalOf("callbacks");
}

cupti::ResultCode cuptiActivityEnable(cupti::ActivityKind kind)
{
    misbehaveAt("enable");
    const std::lock_guard lock(fake().mutex);
    if (const cupti::ResultCode code = refusalOf(std::to_string(kind)); code != cupti::kSuccess)
        return code;
    fake().use.clockCameFirst = fake().use.clockCameFirst && fake().clock;
    fake().enabled |= std::uint64_t{1} << kind;
    noteEnabled();
    fake().use.everEnabled |= fake().use.enabledKinds;
    return cupti::kSuccess;
}

/// CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER
cupti::ResultCode cuptiActivitySetAttribute(int attribute, std::size_t *size, void *value)
{
    const std::lock_guard lock(fake().mutex);
    if (attribute != 5 || *size != sizeof(std::uint8_t) || fake().layout == 12)
        return cupti::kNotSupported;
    fake().wantsZeros = *static_cast<const std::uint8_t *>(value) != 0;
    return cupti::kSuccess;
}

cupti::ResultCode cuptiActivityEnableRuntimeApi(std::uint32_t, std::uint8_t)
{
    return fake().layout == 12 ? cupti::kNotSupported : cupti::kSuccess;
}

/// CUPTI of CUDA 12.2 does not have it.
cupti::ResultCode cuptiActivityEnableDriverApi(std::uint32_t callback, std::uint8_t on)
{
    const std::lock_guard lock(fake().mutex);
    if (fake().layout == 12)
        return cupti::kNotSupported;
    if (on != 0)
        fake().enabledCalls.insert(callback);
    else
        fake().enabledCalls.erase(callback);
    return cupti::kSuccess;
}

/// As in CUPTI only one client can have callbacks.
cupti::ResultCode cuptiSubscribe(void **subscriber, cupti::Callback callback, void *)
{
    misbehaveAt("subscribe");
    const std::lock_guard lock(fake().mutex);
    if (fake().callback || fakeCuptiSetting("subscriber") == "other")
        return cupti::kMultipleSubscribers;
    fake().callback = callback;
    *subscriber = &fake();
    return cupti::kSuccess;
}

cupti::ResultCode cuptiUnsubscribe(void *subscriber)
{
    const std::lock_guard lock(fake().mutex);
    if (subscriber != &fake())
        return 1; // CUPTI_ERROR_INVALID_PARAMETER
    fake().callback = nullptr;
    fake().calledBack.clear();
    return cupti::kSuccess;
}

cupti::ResultCode cuptiEnableCallback(std::uint32_t on, void *subscriber, int domain, std::uint32_t callback)
{
    const std::lock_guard lock(fake().mutex);
    if (subscriber != &fake() || domain != JSC_DOMAIN_DRIVER
        || (fakeCuptiSetting("subscriber") == "half" && !fake().calledBack.empty()))
        return 1; // CUPTI_ERROR_INVALID_PARAMETER
    if (on != 0)
        fake().calledBack.insert(callback);
    else
        fake().calledBack.erase(callback);
    return cupti::kSuccess;
}

cupti::ResultCode cuptiActivityDisable(cupti::ActivityKind kind)
{
    const std::lock_guard lock(fake().mutex);
    fake().enabled &= ~(std::uint64_t{1} << kind);
    noteEnabled();
    return cupti::kSuccess;
}

cupti::ResultCode cuptiActivityFlushAll(std::uint32_t flag)
{
    misbehaveAt("flush");
    const std::lock_guard lock(fake().mutex);
    ++fake().use.flushes;
    if (flag == cupti::kFlushForced || fakeCuptiSetting("hold").empty())
        completeAll();
    return cupti::kSuccess;
}

cupti::ResultCode cuptiActivityGetNumDroppedRecords(void *, std::uint32_t, std::size_t *dropped)
{
    *dropped = fake().dropped.exchange(0);
    return cupti::kSuccess;
}

cupti::ResultCode cuptiActivityGetNextRecord(std::uint8_t *buffer, std::size_t validSize, void **record)
{
    auto *at = static_cast<std::uint8_t *>(*record);
    if (!at) {
        *record = buffer;
        return validSize > 0 ? cupti::kSuccess : cupti::kMaxLimitReached;
    }
    const char walk = fake().walk;
    if (walk == 's')
        return cupti::kSuccess;
    if (walk == 'o') {
        *record = buffer + validSize + 8;
        return cupti::kSuccess;
    }
    std::uint32_t kind = 0;
    std::memcpy(&kind, at, sizeof kind);
    at += sizeOf(kind);
    if (at >= buffer + validSize)
        return cupti::kMaxLimitReached;
    *record = at;
    return walk == 'c' ? cupti::kInvalidKind : cupti::kSuccess;
}

#ifndef JETSCOPE_FAKE_WITHOUT_STREAM_IDS
cupti::ResultCode cuptiGetStreamIdEx(void *context, void *stream, std::uint8_t perThreadStream, std::uint32_t *streamId)
{
    if (!context || perThreadStream != 0)
        return 3; // CUPTI_ERROR_INVALID_CONTEXT
    *streamId = stream ? static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream) & 0xff) : 7;
    return cupti::kSuccess;
}
#endif

// --- for a libcuda that is another library

void fakeCuptiDid(std::uint32_t kind, std::uint32_t stream, std::uint64_t bytes, std::uint32_t detail, const char *name)
{
    FakeRecord record;
    record.kind = kind;
    record.stream = stream;
    record.bytes = bytes;
    record.copyKind = static_cast<std::uint8_t>(detail);
    record.name = name;
    work(record);
}

// --- test interface
void fakeCuptiReset(const char *settings)
{
    const std::lock_guard lock(fake().mutex);
    completeAll();
    fake().use = {};
    fake().enabled = 0;
    fake().enabledCalls.clear();
    fake().callback = nullptr;
    fake().calledBack.clear();
    fake().clock = nullptr;
    adopt(settings);
}

void fakeCuptiEmit(const FakeRecord *record)
{
    const std::lock_guard lock(fake().mutex);
    store(*record);
}

void fakeCuptiUse(FakeCuptiUse *use)
{
    const std::lock_guard lock(fake().mutex);
    *use = fake().use;
}

bool fakeCuptiRequest()
{
    const std::lock_guard lock(fake().mutex);
    return requestBuffer();
}

void fakeCuptiDeliver()
{
    const std::lock_guard lock(fake().mutex);
    completeAll();
}

} // extern "C"
