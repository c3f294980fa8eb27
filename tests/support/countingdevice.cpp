// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/countingdevice.h"

#include <algorithm>

namespace jetscope::testing {

namespace {

std::string bytesText(std::size_t bytes)
{
    return ", " + std::to_string(bytes) + " bytes";
}

const char *verbOf(Access access)
{
    return access == Access::Write ? "writes " : "reads ";
}

} // namespace

std::string differences(const AccessCounts &counted, const AccessCounts &wanted)
{
    AccessCounts all = counted;
    all.insert(wanted.begin(), wanted.end());
    std::string text;
    for (const auto &entry : all) {
        const std::string &what = entry.first;
        const auto of = [&what](const AccessCounts &counts) {
            const auto found = counts.find(what);
            return found == counts.end() ? 0 : found->second;
        };
        if (of(counted) != of(wanted))
            text += what + ": " + std::to_string(of(counted)) + ", not " + std::to_string(of(wanted)) + "\n";
    }
    return text;
}

std::string nameOf(Allocation allocation)
{
    switch (allocation) {
    case Allocation::Pageable:
        return "pageable";
    case Allocation::Device:
        return "device";
    case Allocation::Pinned:
        return "pinned";
    case Allocation::PinnedMapped:
        return "mapped";
    case Allocation::Managed:
        return "managed";
    case Allocation::Registered:
        return "registered";
    case Allocation::System:
        return "system";
    case Allocation::RegisteredIo:
        return "I/O";
    case Allocation::Pool:
        return "pool";
    case Allocation::Exported:
        break;
    }
    return "exported";
}

// --- the log

void AccessLog::nameThread(const std::string &name)
{
    const std::lock_guard lock(m_mutex);
    m_threads[std::this_thread::get_id()] = name;
}

void AccessLog::beginCpuAccess(const BufferRange &range, Access access)
{
    const std::thread::id thread = std::this_thread::get_id();
    const std::lock_guard lock(m_mutex);
    ++m_open[{thread, range.buffer, range.offset, range.bytes, access}];
    m_ofThreads.emplace_back(thread, verbOf(access) + nameOf(range.buffer->allocation()) + bytesText(range.bytes));
}

void AccessLog::endCpuAccess(const BufferRange &range, Access access)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_open.find({std::this_thread::get_id(), range.buffer, range.offset, range.bytes, access});
    if (found == m_open.end())
        ++m_endsWithoutBeginning;
    else if (--found->second == 0)
        m_open.erase(found);
}

void AccessLog::count(const std::string &what)
{
    const std::lock_guard lock(m_mutex);
    ++m_counts[what];
}

void AccessLog::countWait(const std::string &what)
{
    const std::lock_guard lock(m_mutex);
    ++m_waits[what];
}

AccessCounts AccessLog::waits() const
{
    const std::lock_guard lock(m_mutex);
    return m_waits;
}

AccessCounts AccessLog::counts() const
{
    const std::lock_guard lock(m_mutex);
    AccessCounts counts = m_counts;
    for (const auto &[thread, what] : m_ofThreads) {
        const auto name = m_threads.find(thread);
        ++counts[(name == m_threads.end() ? "an unknown thread" : name->second) + " " + what];
    }
    return counts;
}

std::size_t AccessLog::open() const
{
    const std::lock_guard lock(m_mutex);
    return m_open.size();
}

std::size_t AccessLog::endsWithoutBeginning() const
{
    const std::lock_guard lock(m_mutex);
    return m_endsWithoutBeginning;
}

// --- the device

CountingDevice::CountingDevice(std::unique_ptr<Device> device, std::shared_ptr<AccessLog> log)
    : ForwardingDevice(std::move(device)), m_log(std::move(log)), m_pipelineThread(std::this_thread::get_id())
{
    m_log->nameThread("pipeline");
}

void CountingDevice::countRange(const char *what, const BufferRange &range)
{
    if (range)
        m_log->count(what + nameOf(range.buffer->allocation()) + bytesText(range.bytes));
}

void CountingDevice::beginCpuAccess(const BufferRange &range, Access access)
{
    m_log->beginCpuAccess(range, access);
}

void CountingDevice::endCpuAccess(const BufferRange &range, Access access)
{
    m_log->endCpuAccess(range, access);
}

Status CountingDevice::attach(Buffer &managed, Attach target, Stream &stream)
{
    m_log->count(target == Attach::Host ? "attach to host" : "attach to stream");
    return ForwardingDevice::attach(managed, target, stream);
}

Status CountingDevice::copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream)
{
    countRange("copy reads ", from);
    countRange("copy writes ", to);
    return ForwardingDevice::copyAsync(to, from, kind, stream);
}

Status CountingDevice::launch(const ChainLaunch &work, Stream &stream)
{
    countRange("launch reads ", work.input);
    countRange("launch writes ", work.output);
    countRange("launch writes ", work.result);
    if (work.inputImage)
        m_log->count("launch reads image");
    if (work.outputImage)
        m_log->count("launch writes image");
    return ForwardingDevice::launch(work, stream);
}

Status CountingDevice::synchronize(Stream &stream)
{
    m_log->countWait("cudaStreamSynchronize");
    return ForwardingDevice::synchronize(stream);
}

Status CountingDevice::synchronize()
{
    m_log->countWait("cudaDeviceSynchronize");
    return ForwardingDevice::synchronize();
}

Status CountingDevice::synchronize(const Event &event)
{
    m_log->countWait("cudaEventSynchronize");
    return ForwardingDevice::synchronize(event);
}

Result<bool> CountingDevice::query(const Event &event)
{
    m_log->countWait("cudaEventQuery");
    return ForwardingDevice::query(event);
}

Status CountingDevice::launchHost(Stream &stream, std::function<void()> function)
{
    m_log->countWait("cudaLaunchHostFunc");
    return ForwardingDevice::launchHost(stream, std::move(function));
}

Status CountingDevice::write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream)
{
    m_log->countWait("cuStreamWriteValue32");
    return ForwardingDevice::write(flag, value, order, stream);
}

Status CountingDevice::wait(Stream &stream, const Event &event)
{
    m_log->count("stream waits for event");
    return ForwardingDevice::wait(stream, event);
}

Result<std::unique_ptr<Event>> CountingDevice::eventFromFence(const GlFence &fence)
{
    m_log->count("event of a fence");
    return ForwardingDevice::eventFromFence(fence);
}

Result<std::unique_ptr<GlWait>> CountingDevice::glWaitFor(const Event &event)
{
    m_log->count("GL wait is made");
    return ForwardingDevice::glWaitFor(event);
}

Status CountingDevice::glWait(GlWait &wait)
{
    m_log->count("GL wait is carried out");
    return ForwardingDevice::glWait(wait);
}

void CountingDevice::glWill(const GlQueue &, std::uint64_t, std::span<const GlUse> uses)
{
    for (const GlUse &use : uses)
        m_log->count(std::string("GL ") + verbOf(use.access) + (use.image ? "image" : "texture"));
}

void CountingDevice::glRuns(const GlQueue &, std::uint64_t)
{
    if (std::this_thread::get_id() != m_pipelineThread)
        m_log->nameThread("GL queue");
    m_log->count("GL runs a command");
}

void CountingDevice::glWillWait(const GlQueue &, const GlWait &)
{
    m_log->count("GL waits for event");
}

void CountingDevice::glFenced(const GlQueue &, const GlFence &)
{
    m_log->count("GL fence");
}

void CountingDevice::glFinished(const GlQueue &)
{
    m_log->countWait("glFinish");
}

bool CountingDevice::signalled(const GlFence &fence)
{
    m_log->countWait("poll fence");
    return ForwardingDevice::signalled(fence);
}

Status CountingDevice::clientWait(const GlFence &fence)
{
    m_log->countWait("eglClientWaitSync");
    return ForwardingDevice::clientWait(fence);
}

void CountingDevice::viewTakes(const GlUse &use, const GlFence &)
{
    m_log->count("view takes " + std::string(use.image ? "image" : "texture"));
}

void CountingDevice::viewReleases(const GlUse &use, const GlFence &)
{
    m_log->count("view releases " + std::string(use.image ? "image" : "texture"));
}

// --- EGLStreams

Result<std::unique_ptr<Image>> CountingDevice::makeFrame(FrameProducer &producer)
{
    m_log->count("EGLStream frame is made");
    return ForwardingDevice::makeFrame(producer);
}

Status CountingDevice::present(FrameProducer &producer, Image &frame, Stream &stream)
{
    m_log->count("EGLStream frame is presented");
    return ForwardingDevice::present(producer, frame, stream);
}

Result<Image *> CountingDevice::takeBack(FrameProducer &producer, Stream &stream)
{
    Result<Image *> taken = ForwardingDevice::takeBack(producer, stream);
    if (taken.ok() && taken.value())
        m_log->count("EGLStream frame is taken back");
    return taken;
}

Result<std::optional<FrameConsumer::Acquired>> CountingDevice::acquire(FrameConsumer &consumer, Stream &stream)
{
    Result<std::optional<FrameConsumer::Acquired>> acquired = ForwardingDevice::acquire(consumer, stream);
    if (acquired.ok() && acquired.value())
        m_log->count("EGLStream frame is acquired");
    return acquired;
}

Status CountingDevice::release(FrameConsumer &consumer, Stream &stream)
{
    m_log->count("EGLStream frame is released");
    return ForwardingDevice::release(consumer, stream);
}

} // namespace jetscope::testing
