// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/board/machinesampler.h"

#include <utility>

namespace jetscope {

MachineSampler::MachineSampler(const std::string &root) : MachineSampler(root, root == "/" ? "libnvidia-ml.so.1" : "")
{
}

MachineSampler::MachineSampler(const std::string &root, WithoutNvml)
    : m_nvmlReason("the GPUs of NVML do not work on these frames"), m_board(std::in_place, root)
{
}

MachineSampler::MachineSampler(const std::string &root, const std::string &nvml)
{
    BoardLayout layout = findBoardLayout(root);
    if (nvml.empty()) {
        m_nvmlReason = "NVML tells of this machine, not of the files below " + root;
    } else if (Result<NvmlGpus> gpus = NvmlGpus::open(nvml); gpus.ok()) {
        m_gpus.emplace(std::move(gpus).value());
        m_gpus->addTo(layout);
    } else {
        m_nvmlReason = gpus.error().text;
    }
    m_board.emplace(std::move(layout));
}

void MachineSampler::putFirst(const std::string &pciBusId)
{
    if (m_gpus)
        m_gpus->putFirst(pciBusId);
}

const BoardState &MachineSampler::sample(std::int64_t nowNs, bool details, bool gpus)
{
    m_board->sample(nowNs, details);
    if (m_gpus && gpus)
        m_gpus->sample(*m_board, details);
    else if (m_gpus)
        m_gpus->forget(*m_board);
    return m_board->state();
}

} // namespace jetscope
