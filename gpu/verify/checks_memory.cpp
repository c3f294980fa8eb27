// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Memory kinds as the pipeline uses them: what one side writes, the other one reads, again and again in the same
// memory, so that lines of a cache that nobody cleaned show as old bytes.
#include "core/settings/memorykinds.h"
#include "gpu/device/hostmemory.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <cstring>
#include <optional>

namespace jetscope {

namespace {

constexpr int kMemoryWidth = 160; ///< Small enough for every cache.
constexpr int kMemoryHeight = 96;
constexpr std::uint32_t kMemoryRounds = 24;
constexpr std::size_t kLargeBytes = std::size_t{16} << 20U; ///< Drivers of 2021 registered less than 4 MiB.
constexpr int kRegisterCapability = 72;

/// Whether a device should have a kind of memory, whatever its driver says.
bool isDocumented(MemoryKind kind, const DeviceFacts &facts)
{
    const int capability = facts.computeMajor * 10 + facts.computeMinor;
    switch (kind) {
    case MemoryKind::Registered:
        return !facts.integrated || capability >= kRegisterCapability;
    case MemoryKind::Unified:
    case MemoryKind::UnifiedAttach:
        return facts.integrated;
    case MemoryKind::GlTexture:
        return facts.integrated && !facts.software;
    case MemoryKind::System:
        return facts.pageableMemoryAccess;
    case MemoryKind::UnifiedPrefetch:
        return facts.concurrentManagedAccess;
    case MemoryKind::RegisteredIo: // Whether drivers take ordinary memory for a device's, no document says.
    case MemoryKind::Dmabuf:
    case MemoryKind::Pool:
        return false;
    default:
        return true;
    }
}

Capability memoryCapability(MemoryKind kind, const DeviceFacts &facts)
{
    const MemoryKindRow &row = memoryKind(kind);
    return row.needs ? facts.*row.needs : Capability::yes();
}

/// Why there is nothing to check, as a failure where the documents promise it.
std::optional<VerifyResult> absenceOf(MemoryKind kind, const DeviceFacts &facts)
{
    const Capability capability = memoryCapability(kind, facts);
    if (!capability.available && isDocumented(kind, facts))
        return failed("a device of this kind should have it, and its trial failed: " + capability.reason);
    if (!capability.available)
        return notPossible(capability.reason);
    if (kind == MemoryKind::UnifiedAttach && facts.concurrentManagedAccess)
        return notPossible("concurrentManagedAccess = 1: attachments have no effect here");
    return std::nullopt;
}

/// An input and a result of one kind. Kinds without results have those of pageable memory.
class MemoryTrial {
public:
    MemoryTrial(Workbench &bench, MemoryKind kind) : m_bench(bench), m_kind(kind) {}

    Result<std::string> run()
    {
        JETSCOPE_TRY(prepare());
        for (std::uint32_t round = 0; round < kMemoryRounds; ++round) {
            JETSCOPE_TRY_ASSIGN(const std::string difference, runRound(round));
            if (!difference.empty())
                return "round " + std::to_string(round + 1) + ": " + difference;
        }
        return std::string();
    }

private:
    Status prepare()
    {
        JETSCOPE_TRY_ASSIGN(const TransferContext context, m_bench.context());
        JETSCOPE_TRY_ASSIGN(m_input, createTransferBuffer(m_kind, TransferBuffer::Direction::Input, m_layout, context));
        const MemoryKind results = m_kind == MemoryKind::GlTexture ? MemoryKind::Pageable : m_kind;
        JETSCOPE_TRY_ASSIGN(m_result,
                            createTransferBuffer(results, TransferBuffer::Direction::Result, m_half, context));
        JETSCOPE_TRY_ASSIGN(m_done, m_bench.device().createEvent(Device::Timing::Off));
        JETSCOPE_TRY_ASSIGN(m_picture, m_bench.device().allocate(Allocation::Device, pictureSize()));
        JETSCOPE_TRY_ASSIGN(m_seen, m_bench.device().allocate(Allocation::Pageable, pictureSize()));
        return {};
    }

    Result<std::string> runRound(std::uint32_t round)
    {
        Device &device = m_bench.device();
        const PixelBytes bytes = patternOf(m_layout.bytes, round + 1);
        std::memcpy(m_input->write().data(), bytes.data(), bytes.size());
        ChainLaunch launch;
        launch.inputLayout = m_layout;
        launch.output = wholeOf(*m_picture);
        launch.outputPitch = std::size_t{4} * kMemoryWidth;
        launch.frame = round;
        JETSCOPE_TRY(m_input->acquire(round, m_bench.stream(), launch));
        JETSCOPE_TRY(m_result->acquire(round, m_bench.stream(), launch));
        JETSCOPE_TRY(device.launch(launch, m_bench.stream()));
        JETSCOPE_TRY(m_input->release(round, m_bench.stream()));
        JETSCOPE_TRY(m_result->release(round, m_bench.stream()));
        JETSCOPE_TRY(device.record(*m_done, m_bench.stream()));
        JETSCOPE_TRY(device.synchronize(*m_done));
        if (m_result->fetchNeedsIdleDevice())
            JETSCOPE_TRY(device.synchronize(m_bench.stream()));
        JETSCOPE_TRY(m_result->fetch(round));
        return compare(bytes);
    }

    Result<std::string> compare(const PixelBytes &input)
    {
        PixelBytes grey;
        const PixelBytes wanted = referenceOf(input, m_layout, {}, &grey, m_half.planes[0].pitch);
        {
            const CpuRead read = m_result->read();
            for (std::size_t y = 0; y < static_cast<std::size_t>(m_half.height); ++y) {
                const std::size_t at = y * m_half.planes[0].pitch;
                const auto row = [&](const std::byte *from) {
                    return PixelBytes(from + at, from + at + m_half.planes[0].rowBytes);
                };
                if (const std::string wrong = differenceOf(row(read.data()), row(grey.data())); !wrong.empty())
                    return "what the device wrote, as the CPU reads it: row " + std::to_string(y) + ": " + wrong;
            }
        }
        JETSCOPE_TRY(m_bench.device().copyAsync(wholeOf(*m_seen), wholeOf(*m_picture), CopyKind::DeviceToHost,
                                                m_bench.stream()));
        JETSCOPE_TRY(m_bench.device().synchronize(m_bench.stream()));
        const CpuRead read(m_bench.device(), wholeOf(*m_seen));
        const std::string wrong = differenceOf(PixelBytes(read.data(), read.data() + read.bytes()), wanted);
        return wrong.empty() ? wrong : "what the CPU wrote, as the device reads it: " + wrong;
    }

    static std::size_t pictureSize() { return std::size_t{4} * kMemoryWidth * kMemoryHeight; }

    Workbench &m_bench;
    const MemoryKind m_kind;
    const ImageLayout m_layout = makeImageLayout(PixelFormat::Rgba8, kMemoryWidth, kMemoryHeight);
    const ImageLayout m_half = makeImageLayout(PixelFormat::Grey8, kMemoryWidth / 2, kMemoryHeight / 2);
    std::unique_ptr<Buffer> m_picture;
    std::unique_ptr<Buffer> m_seen;
    std::unique_ptr<TransferBuffer> m_input;
    std::unique_ptr<TransferBuffer> m_result;
    std::unique_ptr<Event> m_done;
};

/// The rules that the device saw broken. Only the software iGPU sees them; a board's driver ends the process.
VerifyResult withHazards(Device &device, const std::string &difference)
{
    const std::vector<Hazard> hazards = device.takeHazards();
    if (!hazards.empty())
        return failed("a rule of managed memory was broken: " + hazards.front().text);
    return difference.empty() ? passed() : failed(difference);
}

} // namespace

Result<VerifyResult> checkMemory(VerifyWorld &world, std::string_view key)
{
    const std::optional<MemoryKind> kind = choiceByName<MemoryKind>(key);
    if (!kind)
        return sentence("there is no memory kind of this name");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (*kind == MemoryKind::GlTexture && !bench->display())
        return notPossible(bench->facts().eglImage.reason);
    if (std::optional<VerifyResult> absent = absenceOf(*kind, bench->facts()))
        return *absent;
    JETSCOPE_TRY_ASSIGN(const std::string difference, MemoryTrial(*bench, *kind).run());
    return withHazards(bench->device(), difference);
}

Result<VerifyResult> checkLargeRegistration(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->facts().hostRegister.available)
        return notPossible(bench->facts().hostRegister.reason);
    JETSCOPE_TRY_ASSIGN(const HostMemory memory, allocateHostMemory(kLargeBytes));
    const Result<std::unique_ptr<Buffer>> registered = bench->device().registerHost(memory.get(), kLargeBytes);
    return judged({{"registration of 16 MiB of host memory", "it succeeds",
                    registered.ok() ? "it succeeds" : registered.error().message(),
                    registered.ok() ? Agreement::Yes : Agreement::No}});
}

namespace {

/// Memory that the CPU uses while work of another stream is in flight.
class BusyTrial {
public:
    BusyTrial(Workbench &bench, Attach attach) : m_bench(bench), m_attach(attach) {}

    /// Why the CPU reads other bytes than it wrote, or nothing.
    Result<std::string> run()
    {
        Device &device = m_bench.device();
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Stream> other, device.createStream());
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> busy, device.allocate(Allocation::Device, kBusyBytes));
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, device.allocate(Allocation::Managed, kSmallBytes));
        JETSCOPE_TRY(device.attach(*memory, m_attach, m_bench.stream()));
        JETSCOPE_TRY(device.synchronize(m_bench.stream()));
        JETSCOPE_TRY(device.readMemory(wholeOf(*busy), kBusyPasses, *other));
        PixelBytes wanted;
        PixelBytes seen;
        for (std::uint32_t i = 0; i < kMemoryRounds; ++i) {
            wanted = patternOf(kSmallBytes, i);
            std::memcpy(CpuWrite(device, wholeOf(*memory)).data(), wanted.data(), wanted.size());
            const CpuRead read(device, wholeOf(*memory));
            seen.assign(read.data(), read.data() + read.bytes());
            if (seen != wanted)
                break;
        }
        JETSCOPE_TRY(device.synchronize(*other));
        return differenceOf(seen, wanted);
    }

private:
    static constexpr std::size_t kBusyBytes = std::size_t{1} << 20U;
    static constexpr int kBusyPasses = 400;
    static constexpr std::size_t kSmallBytes = 65536;

    Workbench &m_bench;
    const Attach m_attach;
};

} // namespace

Result<VerifyResult> checkManagedWhileBusy(VerifyWorld &world, std::string_view key)
{
    const Attach attach = key == "host" ? Attach::Host : key == "single" ? Attach::Single : Attach::Global;
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const DeviceFacts &facts = bench->facts();
    if (!facts.managedMemory.available)
        return notPossible(facts.managedMemory.reason);
    if (attach == Attach::Global && !facts.concurrentManagedAccess)
        return notPossible("concurrentManagedAccess = 0: the CPU may not touch global memory while a kernel runs, and "
                           "what happens then no document fixes");
    if (attach != Attach::Global && facts.concurrentManagedAccess)
        return notPossible("concurrentManagedAccess = 1: attachments have no effect here");
    JETSCOPE_TRY_ASSIGN(const std::string difference, BusyTrial(*bench, attach).run());
    return withHazards(bench->device(), difference);
}

} // namespace jetscope
