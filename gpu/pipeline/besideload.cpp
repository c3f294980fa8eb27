// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/besideload.h"

#include "gpu/base/symbols.h"
#include "gpu/device/backends.h"
#include "gpu/device/device.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

namespace jetscope {

namespace {

/// More than the last cache of most processors, so that the bytes come from memory.
constexpr std::size_t kStreamBytes = std::size_t{32} << 20;
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr int kPiecesInFlight = 4;

/// A thread that repeats something until this goes or until that fails.
class Repeating {
public:
    explicit Repeating(std::function<bool()> once)
        : m_thread([this, once = std::move(once)] {
              while (!m_stopping.load(std::memory_order_relaxed) && once()) {}
          })
    {
    }
    ~Repeating()
    {
        m_stopping = true;
        m_thread.join();
    }
    Repeating(const Repeating &) = delete;
    Repeating &operator=(const Repeating &) = delete;

private:
    std::atomic<bool> m_stopping{false};
    std::thread m_thread;
};

/// Half of the cores copy memory, each its own.
class CpuStreams final : public BesideLoad {
public:
    CpuStreams() : BesideLoad(Beside::Cpu)
    {
        const unsigned threads = std::max(1U, std::thread::hardware_concurrency() / 2);
        for (unsigned i = 0; i < threads; ++i) {
            auto memory = std::make_shared<std::vector<std::byte>>(2 * kStreamBytes);
            m_threads.push_back(std::make_unique<Repeating>([memory, at = std::size_t{0}]() mutable {
                std::memcpy(memory->data() + kStreamBytes + at, memory->data() + at, kPieceBytes);
                at = (at + kPieceBytes) % kStreamBytes;
                moved(2 * kPieceBytes);
                return true;
            }));
        }
    }

private:
    std::vector<std::unique_ptr<Repeating>> m_threads;
};

/// The device copies its own memory, in a stream of its own.
class DeviceCopies final : public BesideLoad {
public:
    DeviceCopies(std::unique_ptr<Device> device, std::unique_ptr<Stream> stream, std::unique_ptr<Buffer> memory)
        : BesideLoad(Beside::Copies),
          m_device(std::move(device)),
          m_stream(std::move(stream)),
          m_memory(std::move(memory)),
          m_thread([this] { return copy().ok(); })
    {
    }
    static Result<std::unique_ptr<BesideLoad>> create(const std::string &deviceId)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Device> device, openDevice(deviceId, nullptr));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Stream> stream, device->createStream());
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> memory, device->allocate(Allocation::Device, 2 * kStreamBytes));
        return std::unique_ptr<BesideLoad>(
            std::make_unique<DeviceCopies>(std::move(device), std::move(stream), std::move(memory)));
    }

private:
    Status copy()
    {
        for (int piece = 0; piece < kPiecesInFlight; ++piece)
            JETSCOPE_TRY(m_device->copyAsync({m_memory.get(), kStreamBytes, kStreamBytes},
                                             {m_memory.get(), 0, kStreamBytes}, CopyKind::DeviceToDevice, *m_stream));
        JETSCOPE_TRY(m_device->synchronize(*m_stream));
        moved(2 * kPiecesInFlight * kStreamBytes);
        return {};
    }

    const std::unique_ptr<Device> m_device;
    const std::unique_ptr<Stream> m_stream;
    const std::unique_ptr<Buffer> m_memory;
    Repeating m_thread; ///< Ends first.
};

/// What a second context needs of the driver, loaded at run time. All return CUresult, 0 for success.
struct ContextApi : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*init)(unsigned flags) = find("cuInit");
    int (*deviceGet)(int *device, int ordinal) = find("cuDeviceGet");
    int (*create)(void **context, unsigned flags, int device) = find("cuCtxCreate_v2");
    int (*destroy)(void *context) = find("cuCtxDestroy_v2");
    int (*allocate)(std::uint64_t *memory, std::size_t bytes) = find("cuMemAlloc_v2");
    int (*fill)(std::uint64_t memory, unsigned value, std::size_t words, void *stream) = find("cuMemsetD32Async");
    int (*synchronize)() = find("cuCtxSynchronize");
};

/// Kernels that fill memory, in a context of their own, which shares the GPU by time slices.
class SecondContext final : public BesideLoad {
public:
    static Result<std::unique_ptr<BesideLoad>> create(int ordinal)
    {
        JETSCOPE_TRY_ASSIGN(const ContextApi api, loadDriver<ContextApi>("libcuda.so.1"));
        int device = 0;
        if (api.init(0) != 0 || api.deviceGet(&device, ordinal) != 0)
            return sentence("the driver does not give the device to a second context");
        return std::unique_ptr<BesideLoad>(std::make_unique<SecondContext>(api, device));
    }
    SecondContext(const ContextApi &api, int device)
        : BesideLoad(Beside::Context), m_api(api), m_device(device), m_thread([this] { return fill(); })
    {
    }

private:
    struct Own {
        const ContextApi &api;
        void *context = nullptr;
        std::uint64_t memory = 0;
        ~Own()
        {
            if (context)
                api.destroy(context); // With its memory.
        }
    };

    /// On the thread of the load, whose context it is, until the end.
    bool fill()
    {
        if (!m_own) {
            m_own.reset(new Own{m_api});
            if (m_api.create(&m_own->context, 0, m_device) != 0 || m_api.allocate(&m_own->memory, kStreamBytes) != 0)
                return false;
        }
        for (int piece = 0; piece < kPiecesInFlight; ++piece)
            if (m_api.fill(m_own->memory, 0, kStreamBytes / sizeof(unsigned), nullptr) != 0)
                return false;
        if (m_api.synchronize() != 0)
            return false;
        moved(kPiecesInFlight * kStreamBytes);
        return true;
    }

    const ContextApi m_api;
    const int m_device;
    std::unique_ptr<Own> m_own;
    Repeating m_thread; ///< Ends first.
};

} // namespace

Result<std::unique_ptr<BesideLoad>> BesideLoad::create(Beside kind, const DeviceFacts &facts)
{
    switch (kind) {
    case Beside::Nothing:
        break;
    case Beside::Cpu:
        return std::unique_ptr<BesideLoad>(std::make_unique<CpuStreams>());
    case Beside::Copies:
        return DeviceCopies::create(facts.id);
    case Beside::Context:
        return SecondContext::create(std::atoi(facts.id.substr(facts.id.find(':') + 1).c_str()));
    }
    return std::unique_ptr<BesideLoad>();
}

} // namespace jetscope
