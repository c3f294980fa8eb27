// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Graphs and flags: see core/hazards/hazardledger_streamwork.cpp.
#include "gpu/hazards/callernow.h"
#include "gpu/hazards/ledgerdevice.h"

namespace jetscope {

Result<std::unique_ptr<Semaphore>> LedgerDevice::createSemaphore()
{
    enter("cudaImportExternalSemaphore");
    Result<std::unique_ptr<Semaphore>> semaphore = ForwardingDevice::createSemaphore();
    if (semaphore.ok())
        semaphore.value()->watch(m_semaphores);
    return semaphore;
}

Status LedgerDevice::signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    enter("cudaSignalExternalSemaphoresAsync");
    m_ledger->signalSemaphore(&semaphore, value, &stream, callerNow());
    return ForwardingDevice::signalSemaphore(semaphore, value, stream);
}

Status LedgerDevice::waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    enter("cudaWaitExternalSemaphoresAsync");
    m_ledger->waitSemaphore(&semaphore, value, &stream);
    return ForwardingDevice::waitSemaphore(semaphore, value, stream);
}

Result<std::unique_ptr<GlWait>> LedgerDevice::glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value)
{
    Result<std::unique_ptr<GlWait>> wait = ForwardingDevice::glWaitForSemaphore(semaphore, value);
    if (wait.ok())
        m_ledger->syncFromSemaphore(wait.value().get(), &semaphore, value);
    return wait;
}

void LedgerDevice::glWillWaitForFence(const GlQueue &queue, const GlFence &fence)
{
    m_ledger->glWaitFence(&queue, fence.id());
}

void LedgerDevice::glSignalled(const GlQueue &queue, const Semaphore &semaphore, std::uint64_t value)
{
    m_ledger->glSignalSemaphore(&semaphore, value, &queue, callerNow());
}

Status LedgerDevice::beginCapture(Stream &stream)
{
    enter("cudaStreamBeginCapture");
    JETSCOPE_TRY(ForwardingDevice::beginCapture(stream));
    m_ledger->beginCapture(&stream);
    return {};
}

Result<std::unique_ptr<Graph>> LedgerDevice::endCapture(Stream &stream, std::unique_ptr<Graph> former)
{
    enter("cudaStreamEndCapture");
    Result<std::unique_ptr<Graph>> graph = ForwardingDevice::endCapture(stream, std::move(former));
    m_ledger->endCapture(&stream, graph.ok() ? graph.value().get() : nullptr);
    if (graph.ok())
        graph.value()->watch(m_graphs);
    return graph;
}

Status LedgerDevice::launchGraph(Graph &graph, Stream &stream)
{
    enter("cudaGraphLaunch");
    m_ledger->launchGraph(&graph, &stream, callerNow());
    return ForwardingDevice::launchGraph(graph, stream);
}

Result<std::unique_ptr<StreamFlag>> LedgerDevice::createFlag()
{
    enter("cudaHostAlloc");
    Result<std::unique_ptr<StreamFlag>> flag = ForwardingDevice::createFlag();
    if (flag.ok())
        flag.value()->watch(m_flags);
    return flag;
}

Status LedgerDevice::write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream)
{
    enter("cuStreamWriteValue32");
    m_ledger->writeFlag(&flag, value, order == WriteOrder::AfterAll, &stream);
    return ForwardingDevice::write(flag, value, order, stream);
}

bool LedgerDevice::reached(const StreamFlag &flag, std::uint32_t value)
{
    const bool is = ForwardingDevice::reached(flag, value);
    if (is)
        m_ledger->flagSeen(&flag, value, callerNow());
    return is;
}

} // namespace jetscope
