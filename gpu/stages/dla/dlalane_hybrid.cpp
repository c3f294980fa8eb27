// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Hybrid mode: tensors are memory of CUDA, and cuDLA puts tasks into CUDA's streams.
#include "gpu/stages/dla/dlalane.h"

namespace jetscope {

namespace {

class HybridLane final : public DlaLane {
public:
    explicit HybridLane(const DlaParts &parts) : DlaLane(parts) {}
    ~HybridLane() override
    {
        for (const Tensor &each : m_tensors) {
            unregister(each.registered);
            free(each.memory);
        }
    }

    Status submit(void *stream) override { return submitTask(nullptr, nullptr, stream); }

protected:
    Status open() override
    {
        const CudlaLibrary &library = m_parts.library;
        const KernelDriver &driver = m_parts.driver;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            Tensor &tensor = m_tensors[i];
            const std::size_t bytes = m_parts.tensorBytes[i];
            JETSCOPE_TRY(driver.check("cuMemAlloc", driver.allocate(&tensor.memory, bytes)));
            const auto address = static_cast<std::uintptr_t>(tensor.memory);
            JETSCOPE_TRY(library.check(
                "cudlaMemRegister",
                library.functions().registerMemory(m_parts.device,
                                                   reinterpret_cast<const std::uint64_t *>(address), // NOLINT
                                                   bytes, &tensor.registered, 0)));
        }
        return {};
    }
};

} // namespace

std::unique_ptr<DlaLane> newHybridLane(const DlaParts &parts)
{
    return std::make_unique<HybridLane>(parts);
}

} // namespace jetscope
