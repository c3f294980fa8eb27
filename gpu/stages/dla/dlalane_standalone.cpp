// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Standalone mode: cuDLA knows nothing of CUDA. Tensors are buffers of NvSciBuf, imported into both. CUDA's stream
// signals a fence of NvSciSync that the task waits for, and the task signals another one that the stream waits for.
// Order and teardown are those of NVIDIA's cuDLA-samples (cudla_context_standalone.cpp) and of the CUDA driver API,
// External Resource Interoperability.
#include "gpu/stages/dla/dlalane.h"

#include <array>

namespace jetscope {

namespace {

constexpr std::uint64_t kDlaAlignment = 512; ///< Of addresses, as in the sample cuDLAStandaloneMode.

/// Cleared when it goes, since it keeps its object alive.
class SyncFence {
public:
    explicit SyncFence(const NvSciModule &syncs) : m_functions(syncs.library().functions()) {}
    ~SyncFence() { m_functions.clearFence(&m_fence); }
    SyncFence(const SyncFence &) = delete;
    SyncFence &operator=(const SyncFence &) = delete;

    driver::SemaphoreUse forCuda()
    {
        driver::SemaphoreUse use;
        use.fence = &m_fence;
        return use;
    }
    cudla::Fence forDla()
    {
        cudla::Fence fence;
        fence.fence = &m_fence;
        return fence;
    }

private:
    const nvsci::Functions &m_functions;
    nvsci::Fence m_fence;
};

class StandaloneLane final : public DlaLane {
public:
    explicit StandaloneLane(const DlaParts &parts) : DlaLane(parts), m_exchange(*parts.exchange) {}

    ~StandaloneLane() override
    {
        close(m_done);
        close(m_packed);
        for (std::size_t i = 0; i < m_buffers.size(); ++i) {
            free(m_tensors[i].memory); // What is mapped goes before what was imported.
            if (m_buffers[i].imported)
                static_cast<void>(m_exchange.cuda.destroyMemory(m_buffers[i].imported));
            unregister(m_tensors[i].registered);
            if (m_buffers[i].object)
                m_exchange.buffers->free(m_buffers[i].object);
        }
    }

    Status submit(void *stream) override
    {
        const KernelDriver &driver = m_parts.driver;
        SyncFence packed(*m_exchange.syncs);
        SyncFence done(*m_exchange.syncs);
        const driver::SemaphoreUse signalled = packed.forCuda();
        JETSCOPE_TRY(driver.check("cuSignalExternalSemaphoresAsync",
                                  m_exchange.cuda.signal(&m_packed.imported, &signalled, 1, stream)));
        const cudla::Fence before = packed.forDla();
        cudla::Fence behind = done.forDla();
        const cudla::WaitEvents waits{&before, 1};
        cudla::SignalEvents signals{&m_done.registered, &behind, 1};
        JETSCOPE_TRY(submitTask(&waits, &signals, nullptr));
        m_isLoose = true;
        const driver::SemaphoreUse awaited = done.forCuda();
        JETSCOPE_TRY(
            driver.check("cuWaitExternalSemaphoresAsync", m_exchange.cuda.wait(&m_done.imported, &awaited, 1, stream)));
        m_isLoose = false;
        return {};
    }

protected:
    Status open() override
    {
        m_buffers.resize(m_tensors.size());
        for (std::size_t i = 0; i < m_tensors.size(); ++i)
            JETSCOPE_TRY(openTensor(i));
        JETSCOPE_TRY(openSync(m_packed, driver::kSignalsSync, cudla::kSyncWait));
        return openSync(m_done, driver::kWaitsForSync, cudla::kSyncSignal);
    }

private:
    struct Buffer {
        nvsci::Object object = nullptr;
        void *imported = nullptr; ///< Of CUDA.
    };
    /// One signals it, and the other one waits for it.
    struct Sync {
        nvsci::Object object = nullptr;
        void *imported = nullptr;            ///< Of CUDA.
        std::uint64_t *registered = nullptr; ///< Of cuDLA.
    };

    Result<nvsci::Object> makeBuffer(std::uint64_t bytes) const
    {
        const NvSciLibrary &library = m_exchange.buffers->library();
        return m_exchange.buffers->make({[&](nvsci::List list) {
            const std::array<int, 1> types = {nvsci::kRawBuffer};
            const int permission = nvsci::kReadWrite;
            const bool needsCpu = false;
            const std::array pairs = {
                nvsci::KeyValue{nvsci::kTypes, types.data(), sizeof types},
                nvsci::KeyValue{nvsci::kRawBytes, &bytes, sizeof bytes},
                nvsci::KeyValue{nvsci::kRawAlignment, &kDlaAlignment, sizeof kDlaAlignment},
                nvsci::KeyValue{nvsci::kNeedCpuAccess, &needsCpu, sizeof needsCpu},
                nvsci::KeyValue{nvsci::kRequiredPermission, &permission, sizeof permission},
                nvsci::KeyValue{nvsci::kGpuIds, &m_exchange.gpu, sizeof m_exchange.gpu},
            };
            return library.check("AttrListSetAttrs",
                                 library.functions().setAttributes(list, pairs.data(), pairs.size()));
        }});
    }

    Status openTensor(std::size_t index)
    {
        const CudlaLibrary &library = m_parts.library;
        const KernelDriver &driver = m_parts.driver;
        const CudaExternal &cuda = m_exchange.cuda;
        const std::size_t bytes = m_parts.tensorBytes[index];
        Buffer &buffer = m_buffers[index];
        Tensor &tensor = m_tensors[index];
        JETSCOPE_TRY_ASSIGN(buffer.object, makeBuffer(bytes));

        const cudla::ExternalMemory forDla{buffer.object, bytes};
        JETSCOPE_TRY(library.check("cudlaImportExternalMemory",
                                   library.functions().importMemory(m_parts.device, &forDla, &tensor.registered, 0)));
        driver::ExternalMemory forCuda;
        forCuda.object = buffer.object;
        forCuda.bytes = bytes;
        JETSCOPE_TRY(driver.check("cuImportExternalMemory", cuda.importMemory(&buffer.imported, &forCuda)));
        driver::ExternalBuffer whole;
        whole.bytes = bytes;
        return driver.check("cuExternalMemoryGetMappedBuffer", cuda.mapMemory(&tensor.memory, buffer.imported, &whole));
    }

    /// Each states what it needs in a list of its own; the object suits both.
    Status openSync(Sync &sync, int ofCuda, std::uint32_t ofDla) const
    {
        const CudlaLibrary &library = m_parts.library;
        const KernelDriver &driver = m_parts.driver;
        const CudaExternal &cuda = m_exchange.cuda;
        const auto askCuda = [&](nvsci::List list) {
            return driver.check("cuDeviceGetNvSciSyncAttributes",
                                cuda.syncAttributes(list, m_exchange.cudaDevice, ofCuda));
        };
        const auto askDla = [&](nvsci::List list) {
            return library.check("cudlaGetNvSciSyncAttributes",
                                 library.functions().syncAttributes(static_cast<std::uint64_t *>(list), ofDla));
        };
        JETSCOPE_TRY_ASSIGN(sync.object, m_exchange.syncs->make({askCuda, askDla}));

        const cudla::ExternalSemaphore forDla{sync.object};
        const int status = library.functions().importSemaphore(m_parts.device, &forDla, &sync.registered, 0);
        if (status == cudla::kErrorInvalidParam) // NVIDIA-AI-IOT/cuDLA-samples, issue 5.
            return Error{"cudlaImportExternalSemaphore", status,
                         cudlaStatusName(status)
                             + ": cuDLA takes sync points, and CUDA of older releases prefers another kind; use "
                               "mode=hybrid, or update JetPack"};
        JETSCOPE_TRY(library.check("cudlaImportExternalSemaphore", status));
        driver::ExternalSemaphore forCuda;
        forCuda.object = sync.object;
        return driver.check("cuImportExternalSemaphore", cuda.importSemaphore(&sync.imported, &forCuda));
    }

    void close(const Sync &sync) const
    {
        if (sync.imported)
            static_cast<void>(m_exchange.cuda.destroySemaphore(sync.imported));
        unregister(sync.registered);
        if (sync.object)
            m_exchange.syncs->free(sync.object);
    }

    const DlaExchange &m_exchange;
    std::vector<Buffer> m_buffers; ///< Of the tensors.
    Sync m_packed;                 ///< CUDA signals that the input is packed.
    Sync m_done;                   ///< The DLA signals that the task is done.
};

} // namespace

std::unique_ptr<DlaLane> newStandaloneLane(const DlaParts &parts)
{
    return std::make_unique<StandaloneLane>(parts);
}

} // namespace jetscope
