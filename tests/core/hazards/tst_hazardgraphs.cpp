// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the hazard ledger says of graphs, with the mended program beside each mistake.
#include "tests/core/hazards/handprogram.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using test::Program;

namespace {

/// Captures a kernel that writes the program's memory.
void captureKernel(Program &p, const char &graph)
{
    p.ledger.beginCapture(&p.stream);
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.endCapture(&p.stream, &graph);
}

} // namespace

class TestHazardGraphs : public QObject {
    Q_OBJECT

private slots:
    void capturedWorkIsNotExecuted();
    void aLaunchUsesWhatWasCaptured();
    void aGraphHoldsNoFreedMemory();
    void nothingWaitsForACapture();
    void managedMemoryBelongsToTheKernelsOfAGraph();
};

void TestHazardGraphs::capturedWorkIsNotExecuted()
{
    Program p;
    const char graph = 0;
    captureKernel(p, graph);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString());
}

void TestHazardGraphs::aLaunchUsesWhatWasCaptured()
{
    Program p;
    const char graph = 0;
    captureKernel(p, graph);
    p.ledger.launchGraph(&graph, &p.stream, Program::at(1));
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("O1"));
    p.kernel(p.other, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString("B5"));

    Program mended;
    captureKernel(mended, graph);
    for (int launch = 0; launch < 3; ++launch) {
        mended.ledger.launchGraph(&graph, &mended.stream, Program::at(1));
        mended.ledger.record(&mended.event, &mended.stream, {});
        mended.ledger.wait(&mended.other, &mended.event);
        mended.kernel(mended.other, mended.memory, Access::Read);
        mended.ledger.synchronize(&mended.other);
        mended.touch(Access::Read);
    }
    QCOMPARE(mended.broken(), QString());
}

void TestHazardGraphs::aGraphHoldsNoFreedMemory()
{
    const char graph = 0;
    for (const bool again : {false, true}) { // The same address may be other memory meanwhile.
        Program p;
        captureKernel(p, graph);
        p.ledger.launchGraph(&graph, &p.stream, Program::at(1));
        p.ledger.synchronize(&p.stream);
        p.ledger.removeMemory(&p.memory, Program::at(2));
        QCOMPARE(p.broken(), QString());
        if (again)
            p.ledger.addBuffer(&p.memory, Allocation::PinnedMapped, Program::kBytes);
        p.ledger.launchGraph(&graph, &p.stream, Program::at(2));
        QCOMPARE(p.broken(), QString("B7"));
    }

    Program mended;
    captureKernel(mended, graph);
    mended.ledger.launchGraph(&graph, &mended.stream, Program::at(1));
    mended.ledger.synchronize(&mended.stream);
    mended.ledger.removeMemory(&mended.memory, Program::at(2));
    mended.ledger.addBuffer(&mended.memory, Allocation::PinnedMapped, Program::kBytes);
    mended.ledger.removeGraph(&graph);
    captureKernel(mended, graph); // Anew.
    mended.ledger.launchGraph(&graph, &mended.stream, Program::at(2));
    QCOMPARE(mended.broken(), QString());
}

void TestHazardGraphs::nothingWaitsForACapture()
{
    Program p;
    const char graph = 0;
    p.ledger.beginCapture(&p.stream);
    p.ledger.waitsFor(&p.other, "cudaStreamSynchronize", Program::at(1));
    QCOMPARE(p.broken(), QString());
    p.ledger.waitsFor(&p.stream, "cudaStreamSynchronize", Program::at(1));
    QCOMPARE(p.broken(), QString("B8"));
    p.ledger.waitsFor(nullptr, "cudaDeviceSynchronize", Program::at(1));
    QCOMPARE(p.broken(), QString("B8"));
    p.ledger.endCapture(&p.stream, &graph);
    p.ledger.waitsFor(&p.stream, "cudaStreamSynchronize", Program::at(1));
    p.ledger.waitsFor(nullptr, "cudaDeviceSynchronize", Program::at(1));
    QCOMPARE(p.broken(), QString());
}

void TestHazardGraphs::managedMemoryBelongsToTheKernelsOfAGraph()
{
    Program p(Allocation::Managed);
    const char graph = 0;
    captureKernel(p, graph);
    p.touch(Access::Write); // Nothing runs yet.
    QCOMPARE(p.broken(), QString());
    p.ledger.launchGraph(&graph, &p.stream, Program::at(1));
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("A1"));
    p.ledger.synchronize(&p.stream);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString());
}

JETSCOPE_TEST(TestHazardGraphs)
#include "tst_hazardgraphs.moc"
