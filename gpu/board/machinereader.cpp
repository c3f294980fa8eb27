// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/board/machinereader.h"

#include "core/time/clock.h"

#include <utility>

namespace jetscope {

namespace {

class OwnMachine final : public MachineReader {
public:
    OwnMachine(MachineSampler sampler, const std::string &root)
        : m_sampler(std::move(sampler)),
          m_facts(std::make_shared<const BoardFacts>(
              BoardFacts{readBoardIdentity(root), m_sampler.layout(), m_sampler.nvmlReason(), wallClockOffsetNs()}))
    {
    }

    Result<BoardValues> read(const std::string &firstGpu) override
    {
        if (std::exchange(m_firstGpu, firstGpu) != firstGpu)
            m_sampler.putFirst(firstGpu);
        return BoardValues{m_facts, m_sampler.sample(nowNs())};
    }

private:
    MachineSampler m_sampler;
    const std::shared_ptr<const BoardFacts> m_facts;
    std::string m_firstGpu;
};

} // namespace

std::unique_ptr<MachineReader> machineReader(const std::string &root)
{
    return machineReader(MachineSampler(root), root);
}

std::unique_ptr<MachineReader> machineReader(MachineSampler sampler, const std::string &root)
{
    return std::make_unique<OwnMachine>(std::move(sampler), root);
}

} // namespace jetscope
