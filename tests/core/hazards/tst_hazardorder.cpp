// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The order that the hazard ledger keeps: random programs against a brute-force search for a path of edges.
#include "core/hazards/hazardledger.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <array>
#include <bitset>
#include <random>

using namespace jetscope;

namespace {

using Caller = HazardLedger::Caller;
using Use = HazardLedger::Use;

/// A graph of everything that a program did; "happens before" is a path.
class Graph {
public:
    int add(const std::vector<int> &after)
    {
        m_before.push_back({});
        std::vector<bool> &before = m_before.back();
        before.resize(m_before.size());
        for (const int node : after) {
            if (node < 0)
                continue;
            before[static_cast<std::size_t>(node)] = true;
            for (std::size_t i = 0; i < m_before[static_cast<std::size_t>(node)].size(); ++i)
                if (m_before[static_cast<std::size_t>(node)][i])
                    before[i] = true;
        }
        return static_cast<int>(m_before.size()) - 1;
    }
    bool reaches(int from, int to) const
    {
        const std::vector<bool> &before = m_before[static_cast<std::size_t>(to)];
        return from >= 0 && static_cast<std::size_t>(from) < before.size() && before[static_cast<std::size_t>(from)];
    }

private:
    std::vector<std::vector<bool>> m_before; ///< Of each node, the nodes before it.
};

/// Runs the same random program on a ledger and on a graph.
class RandomProgram {
public:
    explicit RandomProgram(unsigned seed) : m_random(seed)
    {
        for (int stream = 0; stream < kStreams; ++stream)
            m_ledger.addStream(&m_objects[static_cast<std::size_t>(stream)]);
        for (int memory = 0; memory < kMemories; ++memory)
            m_ledger.addBuffer(memoryObject(memory), Allocation::PinnedMapped, kBytes);
    }

    /// One call; false if ledger and graph disagree.
    bool step()
    {
        switch (pick(15)) {
        case 0:
        case 1:
            return work(pick(kStreams), true);
        case 2:
            return work(kGl, false);
        case 3:
            return pick(2) == 0 ? beginScope() : endScope();
        case 4:
            return endScope();
        case 5:
            record(pick(kStreams), pick(kEvents));
            return true;
        case 6:
            waitEvent(pick(kStreams), pick(kEvents));
            return true;
        case 7:
            seeEvent(pick(kEvents));
            return true;
        case 8:
            synchronize(pick(kStreams + 2));
            return true;
        case 9:
            fence(pick(kEvents));
            return true;
        case 10:
            if (pick(3) == 0)
                replace(pick(kStreams));
            return true;
        case 11:
            note(pick(kStreams), pick(kStreams));
            return true;
        case 12:
            map(pick(kStreams));
            return true;
        case 13:
            flag(pick(kStreams));
            return true;
        default:
            crossSync(pick(kStreams), pick(kEvents));
            return true;
        }
    }
    int conflicts() const { return m_conflicts; }

private:
    static constexpr int kStreams = 3;
    static constexpr int kGl = kStreams;
    static constexpr int kMemories = 3;
    static constexpr int kEvents = 3;
    static constexpr std::size_t kBytes = 12;

    struct Done {
        int queue;
        int memory;
        Use use;
        int node; ///< Where it is complete; -1 for an open scope.
    };

    int pick(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    const void *memoryObject(int memory) const { return &m_objects[static_cast<std::size_t>(10 + memory)]; }
    const void *queueObject(int queue) const { return &m_objects[static_cast<std::size_t>(queue)]; }
    const void *eventObject(int event) const { return &m_objects[static_cast<std::size_t>(20 + event)]; }
    const void *fenceObject(int fence) const { return &m_objects[static_cast<std::size_t>(30 + fence)]; }

    void hostStep(int after) { m_host = m_graph.add({m_host, after}); }
    int queueStep(int queue, int after = -1)
    {
        hostStep(-1);
        int &last = m_queues[static_cast<std::size_t>(queue)];
        return last = m_graph.add({last, m_host, after});
    }

    Use randomUse(int memory)
    {
        const Access access = pick(2) == 0 ? Access::Write : Access::Read;
        if (pick(3) == 0) {
            const auto offset = static_cast<std::size_t>(pick(3));
            const auto bytes = static_cast<std::size_t>(1 + pick(2));
            return {memoryObject(memory),
                    offset,
                    bytes,
                    access,
                    static_cast<std::size_t>(2 + pick(2)),
                    static_cast<std::size_t>(3 + pick(2))};
        }
        const auto offset = static_cast<std::size_t>(pick(3)) * 4;
        const auto bytes = static_cast<std::size_t>(1 + pick(2)) * 4;
        return {memoryObject(memory), offset, std::min(bytes, kBytes - offset), access};
    }

    static std::bitset<kBytes> bytesOf(const Use &use)
    {
        std::bitset<kBytes> all;
        for (std::size_t row = 0; row < use.rows; ++row)
            for (std::size_t byte = 0; byte < use.bytes; ++byte)
                all.set(use.offset + row * use.pitch + byte);
        return all;
    }

    bool conflicts(const Done &now, int node) const
    {
        for (const Done &old : m_done) {
            const bool meet = old.memory == now.memory && (bytesOf(old.use) & bytesOf(now.use)).any();
            const bool writes = old.use.access == Access::Write || now.use.access == Access::Write;
            if (meet && writes && old.queue != now.queue && (old.node < 0 || !m_graph.reaches(old.node, node)))
                return true;
        }
        return false;
    }

    bool agree(const Done &now, int node)
    {
        const bool expected = conflicts(now, node);
        m_conflicts += expected ? 1 : 0;
        const bool reported = !m_ledger.takeHazards().empty();
        return expected == reported;
    }

    bool work(int queue, bool stream)
    {
        const int memory = pick(kMemories);
        const Use use = randomUse(memory);
        const int node = queueStep(queue);
        if (stream)
            m_ledger.launch(queueObject(queue), std::span(&use, 1), Caller());
        else
            m_ledger.glCommand(queueObject(queue), AccessKind::GlCommand, std::span(&use, 1), Caller());
        const Done now{m_numbers[static_cast<std::size_t>(queue)], memory, use, node};
        const bool same = agree(now, node);
        m_done.push_back(now);
        return same;
    }

    bool beginScope()
    {
        const int memory = pick(kMemories);
        const Use use = randomUse(memory);
        hostStep(-1);
        m_ledger.beginCpuAccess(use, Caller());
        const Done now{-1, memory, use, -1};
        const bool same = agree(now, m_host);
        m_done.push_back(now);
        m_open.push_back(m_done.size() - 1);
        return same;
    }

    bool endScope()
    {
        if (m_open.empty())
            return true;
        Done &scope = m_done[m_open.back()];
        m_open.pop_back();
        hostStep(-1);
        scope.node = m_host;
        m_ledger.endCpuAccess(scope.use);
        return true;
    }

    void record(int stream, int event)
    {
        m_events[static_cast<std::size_t>(event)] = queueStep(stream);
        m_ledger.record(eventObject(event), queueObject(stream), Caller());
    }

    /// A stream waits for what another one has so far, by an event that is no work of that one.
    void note(int of, int stream)
    {
        m_ledger.note(&m_objects[42], queueObject(of));
        m_ledger.wait(queueObject(stream), &m_objects[42]);
        int &last = m_queues[static_cast<std::size_t>(stream)];
        last = m_graph.add({last, m_queues[static_cast<std::size_t>(of)]});
    }

    /// GL comes before the stream, or behind it.
    void map(int stream)
    {
        int &ofStream = m_queues[static_cast<std::size_t>(stream)];
        int &ofGl = m_queues[kGl];
        if (pick(2) == 0) {
            m_ledger.map(queueObject(stream));
            ofStream = m_graph.add({ofStream, ofGl});
        } else {
            m_ledger.unmap(queueObject(stream));
            ofGl = m_graph.add({ofGl, ofStream});
        }
    }

    void waitEvent(int stream, int event)
    {
        queueStep(stream, m_events[static_cast<std::size_t>(event)]);
        m_ledger.wait(queueObject(stream), eventObject(event));
    }

    void seeEvent(int event)
    {
        hostStep(m_events[static_cast<std::size_t>(event)]);
        m_ledger.eventSeen(eventObject(event));
    }

    void synchronize(int which)
    {
        if (which < kStreams) {
            hostStep(m_queues[static_cast<std::size_t>(which)]);
            m_ledger.synchronize(queueObject(which));
        } else if (which == kStreams) {
            hostStep(m_queues[kGl]);
            m_ledger.glFinish(queueObject(kGl));
        } else {
            for (int stream = 0; stream < kStreams; ++stream)
                hostStep(m_queues[static_cast<std::size_t>(stream)]);
            for (const int node : m_gone)
                hostStep(node);
            m_ledger.synchronizeAll();
        }
    }

    /// The stream goes while its work goes on, and another one gets its address.
    void replace(int stream)
    {
        const auto index = static_cast<std::size_t>(stream);
        m_gone.push_back(m_queues[index]);
        m_queues[index] = -1;
        m_numbers[index] = ++m_newest;
        m_ledger.retireStream(queueObject(stream));
        m_ledger.addStream(queueObject(stream));
    }

    void fence(int fence)
    {
        m_fences[static_cast<std::size_t>(fence)] = queueStep(kGl);
        m_ledger.glFence(queueObject(kGl), fenceObject(fence));
        if (pick(2) == 0) {
            hostStep(m_fences[static_cast<std::size_t>(fence)]);
            m_ledger.fenceSeen(fenceObject(fence));
        }
    }

    /// A stream writes a flag, or the CPU sees the values of one so far.
    void flag(int stream)
    {
        const auto index = static_cast<std::size_t>(stream);
        if (pick(2) == 0) {
            m_flags[index] = m_graph.add({queueStep(stream), m_flags[index]}); // Who sees a value has seen the former.
            m_ledger.writeFlag(&m_objects[43 + index], ++m_flagValues[index], true, queueObject(stream));
        } else {
            hostStep(m_flags[index]);
            m_ledger.flagSeen(&m_objects[43 + index], m_flagValues[index], Caller());
        }
    }

    /// GL and a stream wait for each other without the CPU.
    void crossSync(int stream, int index)
    {
        if (pick(2) == 0) {
            const int fence = m_fences[static_cast<std::size_t>(index)];
            queueStep(stream, fence);
            m_ledger.eventFromFence(&m_objects[40], fenceObject(index));
            m_ledger.wait(queueObject(stream), &m_objects[40]);
            m_ledger.removeEvent(&m_objects[40]);
        } else {
            record(stream, index);
            queueStep(kGl, m_events[static_cast<std::size_t>(index)]);
            m_ledger.syncFromEvent(&m_objects[41], eventObject(index), Caller());
            m_ledger.glWaitSync(queueObject(kGl), &m_objects[41]);
        }
    }

    std::mt19937 m_random;
    std::array<char, 48> m_objects{}; ///< Their addresses are the objects.
    HazardLedger m_ledger{HazardLedger::Conditions{}};
    Graph m_graph;
    int m_host = -1;
    std::array<int, kStreams + 1> m_queues{-1, -1, -1, -1};
    std::array<int, kStreams + 1> m_numbers{0, 1, 2, 3};
    int m_newest = 3; ///< Of m_numbers.
    std::vector<int> m_gone;
    std::array<int, kEvents> m_events{-1, -1, -1};
    std::array<int, kEvents> m_fences{-1, -1, -1};
    std::array<int, kStreams> m_flags{-1, -1, -1};
    std::array<std::uint32_t, kStreams> m_flagValues{};
    std::vector<Done> m_done;
    std::vector<std::size_t> m_open;
    int m_conflicts = 0;
};

} // namespace

class TestHazardOrder : public QObject {
    Q_OBJECT

private slots:
    void randomProgramsAgreeWithASearch();
};

void TestHazardOrder::randomProgramsAgreeWithASearch()
{
    constexpr unsigned kPrograms = 1500;
    constexpr int kSteps = 90;
    int steps = 0;
    int conflicts = 0;
    for (unsigned seed = 1; seed <= kPrograms; ++seed) {
        RandomProgram program(seed);
        for (int step = 0; step < kSteps; ++step, ++steps)
            QVERIFY2(program.step(), qPrintable(QString("seed %1, step %2").arg(seed).arg(step)));
        conflicts += program.conflicts();
    }
    // Both answers must be frequent, or the test shows little.
    QVERIFY2(conflicts > steps / 20 && conflicts < steps / 3,
             qPrintable(QString("%1 of %2").arg(conflicts).arg(steps)));
}

JETSCOPE_TEST(TestHazardOrder)
#include "tst_hazardorder.moc"
