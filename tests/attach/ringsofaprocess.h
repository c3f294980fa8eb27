// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/pidnamespace.h"
#include "core/attach/read/ringreader.h"
#include "core/time/clock.h"
#include "core/time/cpucounter.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <thread>
#include <unistd.h>

namespace jetscope {

/// The memory of a session with three rings: a thread that blocks, one that submits, and the hardware times.
class RingsOfAProcess {
public:
    RingsOfAProcess() : m_memory(AttachMemory::create(0).value()), m_reader(m_memory)
    {
        for (std::uint32_t i = 0; i < 3; ++i) {
            jsa_ring &ring = m_memory.ring(i);
            ring.owner = i + 1;
            ring.pid = i == 0 ? 1 : getpid(); // Both exist.
            ring.tid = i == 0 ? 1 : gettid();
            ring.kind = i == 2 ? JSA_RING_GPU : JSA_RING_THREAD;
            ring.pid_namespace = pidNamespace();
            ring.ready = 1;
        }
        m_memory.session().rings_used = 3;
        m_memory.ring(2).gpu.state = JSA_GPU_RECORDING;
    }
    void block()
    {
        m_memory.ring(0).open_begin = ticks();
        m_memory.ring(0).open_call = JSA_CALL_cuEGLStreamConsumerAcquireFrame;
    }
    /// A call of the thread that submits.
    void call(jsa_call function, const std::array<std::uint64_t, JSA_ARGUMENTS> &argument = {1})
    {
        jsa_record &record = next(1);
        record.call = static_cast<std::uint16_t>(function);
        std::copy(argument.begin(), argument.end(), std::begin(record.argument));
        record.begin = ticks();
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        record.end = ticks();
        ++m_memory.ring(1).head;
    }
    /// What CUPTI tells of a submission at this time and of its kernel.
    void kernel(std::uint32_t number, std::int64_t ns)
    {
        tell(JSA_GPU_CALL, number, ns);
        tell(JSA_GPU_KERNEL, number, ns);
    }
    /// The same where the record of the call has the number.
    void kernelOnly(std::uint32_t number, std::int64_t ns) { tell(JSA_GPU_KERNEL, number, ns); }
    void deliver(std::int64_t ns) { m_memory.ring(2).gpu.flushed_ns = static_cast<std::uint64_t>(ns); }
    RingReader &reader() { return m_reader; }
    AttachMemory &memory() { return m_memory; }

private:
    void tell(jsa_gpu_kind kind, std::uint32_t number, std::int64_t ns)
    {
        auto &record = reinterpret_cast<jsa_gpu_record &>(next(2));
        record.kind = kind;
        record.begin = record.end = static_cast<std::uint64_t>(ns);
        record.thread = static_cast<std::uint32_t>(gettid());
        record.correlation = number;
        ++m_memory.ring(2).head;
    }
    std::uint64_t ticks() const
    {
        return m_memory.session().clock == JSA_CLOCK_COUNTER ? readCpuCounter() : static_cast<std::uint64_t>(nowNs());
    }
    jsa_record &next(std::uint32_t ring)
    {
        auto &record = const_cast<jsa_record &>(m_memory.records(ring)[m_memory.ring(ring).head % JSA_RING_RECORDS]);
        record = {};
        return record;
    }

    AttachMemory m_memory;
    RingReader m_reader;
};

} // namespace jetscope
