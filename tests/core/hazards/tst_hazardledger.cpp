// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The hazard ledger: each rule broken by hand, with the mended program beside it.
#include "tests/core/hazards/handprogram.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

using Caller = HazardLedger::Caller;
using Use = HazardLedger::Use;
using test::Program;

} // namespace

class TestHazardLedger : public QObject {
    Q_OBJECT

private slots:
    void glAndCudaNeedAnOrder();
    void unmappingOrdersAQueueThatComesLater();
    void streamsNeedAnOrder();
    void theCpuNeedsAnOrder();
    void rangesThatDoNotMeetNeedNone();
    void aHostFunctionIsAnOrder();
    void unifiedMemoryBelongsToTheKernels();
    void aGlFenceGivesNoUnifiedMemoryBack();
    void readingTogetherIsNotAllowed();
    void newUnifiedMemoryIsGlobal();
    void anAttachMustBeSeen();
    void kernelsUseWhatIsAttachedToThem();
    void aLaunchDuringAScopeIsFound();
    void concurrentAccessTurnsOwnershipOff();
    void freedInFlight();
    void anImageIsUnregisteredInFlight();
    void reattachedBeforeAHostFunction();
    void hostFunctionsCallNothing();
    void syncsAreMadeAtOnce();
    void eventsOfFencesAreNotRecorded();
    void aTextureIsNotRespecifiedInFlight();
    void registeringInEveryFrameCosts();
    void copiesThatCost();
    void uncachedMemoryIsReadOnce();
    void uncachedMemoryHasNoAtomics();
    void aRefusedRegistrationCosts();
    void addressesAreUsedAgain();
    void nonsenseIsIgnored();
    void aLoopThatIsWrongIsBounded();
    void aHazardNamesBothSides();
};

void TestHazardLedger::glAndCudaNeedAnOrder()
{
    Program p;
    p.gl(Access::Read);
    p.kernel(p.stream, p.image, Access::Write);
    QCOMPARE(p.broken(), QString("C1"));
    p.gl(Access::Read);
    QCOMPARE(p.broken(), QString("C1"));

    Program mended;
    mended.gl(Access::Read);
    mended.ledger.glFence(&mended.glQueue, &mended.fence);
    mended.ledger.eventFromFence(&mended.event, &mended.fence);
    mended.ledger.wait(&mended.stream, &mended.event);
    mended.kernel(mended.stream, mended.image, Access::Write);
    mended.ledger.removeEvent(&mended.event);
    mended.ledger.record(&mended.event, &mended.stream, {});
    mended.ledger.syncFromEvent(&mended.sync, &mended.event, {});
    mended.ledger.glWaitSync(&mended.glQueue, &mended.sync);
    mended.gl(Access::Read);
    mended.ledger.map(&mended.stream);
    mended.kernel(mended.stream, mended.image, Access::Write);
    mended.ledger.unmap(&mended.stream);
    mended.gl(Access::Read);
    mended.ledger.glFinish(&mended.glQueue);
    mended.kernel(mended.other, mended.image, Access::Read);
    QCOMPARE(mended.broken(), QString());
}

void TestHazardLedger::unmappingOrdersAQueueThatComesLater()
{
    Program p;
    p.ledger.map(&p.stream);
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.unmap(&p.stream);
    p.gl(Access::Read); // The ledger meets the GL queue for the first time.
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::streamsNeedAnOrder()
{
    Program p;
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.ledger.record(&p.event, &p.stream, {});
    p.kernel(p.other, p.elsewhere, Access::Read); // The fence is on one stream, the kernel on another.
    QCOMPARE(p.broken(), QString("B5"));
    p.gl(Access::Read);
    p.ledger.glFence(&p.glQueue, &p.fence);
    p.ledger.eventFromFence(&p.event, &p.fence);
    p.ledger.wait(&p.other, &p.event);
    p.kernel(p.stream, p.image, Access::Write); // The wait is in the other stream.
    QCOMPARE(p.broken(), QString("B5"));
    p.ledger.removeEvent(&p.event);
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.broken();
    p.ledger.record(&p.event, &p.stream, {});
    p.ledger.wait(&p.other, &p.event);
    p.kernel(p.other, p.elsewhere, Access::Read);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::theCpuNeedsAnOrder()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Write);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("O1"));
    p.ledger.synchronize(&p.other); // Not the stream in question.
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("O1"));
    p.ledger.synchronize(&p.stream);
    p.touch(Access::Write);
    p.kernel(p.stream, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString());
    p.touch(Access::Read); // Both read.
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::rangesThatDoNotMeetNeedNone()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Write, 0, 100);
    p.ledger.beginCpuAccess({&p.memory, 100, 100, Access::Write}, {});
    QCOMPARE(p.broken(), QString());
    p.ledger.beginCpuAccess({&p.memory, 99, 1, Access::Read}, {});
    QCOMPARE(p.broken(), QString("O1"));
}

void TestHazardLedger::aHostFunctionIsAnOrder()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Write);
    const std::uint64_t function = p.ledger.appendHostFunction(&p.stream);
    p.kernel(p.stream, p.elsewhere, Access::Write); // Behind the function.
    p.ledger.hostFunctionRuns(function);
    p.ledger.hostFunctionRuns(function + 7); // Not known: ignored.
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString());
    p.ledger.beginCpuAccess({&p.elsewhere, 0, 8, Access::Read}, {});
    QCOMPARE(p.broken(), QString("O1"));
}

void TestHazardLedger::unifiedMemoryBelongsToTheKernels()
{
    Program p(Allocation::Managed);
    p.touch(Access::Write);
    p.kernel(p.stream, p.memory, Access::Read);
    p.ledger.synchronizeAll();
    p.kernel(p.stream, p.elsewhere, Access::Write); // A kernel that does not use the memory at all.
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString("A1"));
    QCOMPARE(p.last[0].first->what, std::string("kernels"));
    p.ledger.synchronizeAll();
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::aGlFenceGivesNoUnifiedMemoryBack()
{
    Program p(Allocation::Managed);
    p.touch(Access::Write);
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.record(&p.event, &p.stream, {});
    p.ledger.syncFromEvent(&p.sync, &p.event, {});
    p.ledger.glWaitSync(&p.glQueue, &p.sync);
    p.ledger.glFence(&p.glQueue, &p.fence);
    p.ledger.fenceSeen(&p.fence); // The kernel is complete, but CUDA has not been asked.
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("A1"));
    p.ledger.eventSeen(&p.event);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString());

    Program mapped; // Memory of another kind needs no more than the order.
    mapped.kernel(mapped.stream, mapped.memory, Access::Write);
    mapped.ledger.record(&mapped.event, &mapped.stream, {});
    mapped.ledger.syncFromEvent(&mapped.sync, &mapped.event, {});
    mapped.ledger.glWaitSync(&mapped.glQueue, &mapped.sync);
    mapped.ledger.glFence(&mapped.glQueue, &mapped.fence);
    mapped.ledger.fenceSeen(&mapped.fence);
    mapped.touch(Access::Read);
    QCOMPARE(mapped.broken(), QString());
}

void TestHazardLedger::readingTogetherIsNotAllowed()
{
    Program p(Allocation::Managed);
    p.kernel(p.stream, p.memory, Access::Read);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("A2"));
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString("A1"));
}

void TestHazardLedger::newUnifiedMemoryIsGlobal()
{
    Program p;
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.ledger.addBuffer(&p.memory, Allocation::Managed, 64);
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString("A3"));
    p.ledger.synchronize(&p.stream);
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::anAttachMustBeSeen()
{
    Program p(Allocation::Managed);
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.attach(&p.memory, Attach::Host, &p.stream, {});
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("A4"));
    p.ledger.synchronize(&p.stream);
    p.kernel(p.other, p.elsewhere, Access::Write); // It belongs to the CPU now, whatever runs.
    p.touch(Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::kernelsUseWhatIsAttachedToThem()
{
    Program p(Allocation::Managed);
    p.ledger.attach(&p.memory, Attach::Host, &p.stream, {});
    p.kernel(p.stream, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString("A5"));
    p.ledger.attach(&p.memory, Attach::Single, &p.stream, {});
    p.kernel(p.stream, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString());
    p.kernel(p.other, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString("A5"));
    p.ledger.synchronize(&p.stream);
    p.touch(Access::Read); // The other stream's kernels do not concern it: as the driver sees it.
    QCOMPARE(p.broken(), QString());
    p.ledger.attach(&p.memory, Attach::Global, &p.stream, {});
    p.kernel(p.other, p.memory, Access::Read);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::aLaunchDuringAScopeIsFound()
{
    Program p(Allocation::Managed);
    p.ledger.beginCpuAccess({&p.memory, 0, 8, Access::Read}, {});
    p.kernel(p.stream, p.elsewhere, Access::Write);
    QCOMPARE(p.broken(), QString("A1"));
    p.ledger.endCpuAccess({&p.memory, 0, 8, Access::Read});
    p.kernel(p.stream, p.elsewhere, Access::Write);
    QCOMPARE(p.broken(), QString());
    p.ledger.synchronizeAll();
    p.ledger.attach(&p.memory, Attach::Host, &p.stream, {});
    p.ledger.synchronizeAll();
    p.ledger.beginCpuAccess({&p.memory, 0, 8, Access::Read}, {});
    p.kernel(p.stream, p.elsewhere, Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::concurrentAccessTurnsOwnershipOff()
{
    Program p(Allocation::Managed, false);
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.touch(Access::Write);
    p.kernel(p.stream, p.memory, Access::Read);
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString());
    p.touch(Access::Write); // A race all the same.
    QCOMPARE(p.broken(), QString("O1"));
}

void TestHazardLedger::freedInFlight()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Read);
    p.ledger.removeMemory(&p.memory, {});
    QCOMPARE(p.broken(), QString("A11"));
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.ledger.synchronize(&p.stream);
    p.ledger.removeMemory(&p.elsewhere, {});
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::anImageIsUnregisteredInFlight()
{
    Program p;
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.removeMemory(&p.image, {});
    QCOMPARE(p.broken(), QString("C6"));
    p.ledger.addImage(&p.image, 64, 36, {});
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.removeStream(&p.stream); // Waits for its work.
    p.ledger.removeMemory(&p.image, {});
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::reattachedBeforeAHostFunction()
{
    Program p(Allocation::Managed);
    p.ledger.attach(&p.memory, Attach::Single, &p.stream, {});
    p.kernel(p.stream, p.memory, Access::Write);
    const std::uint64_t function = p.ledger.appendHostFunction(&p.stream);
    p.ledger.attach(&p.memory, Attach::Host, &p.stream, {});
    QCOMPARE(p.broken(), QString("A7"));
    p.ledger.hostFunctionRuns(function);
    p.ledger.synchronize(&p.stream);
    p.ledger.attach(&p.memory, Attach::Host, &p.stream, {});
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::hostFunctionsCallNothing()
{
    Program p;
    p.ledger.callWithinHostFunction("cudaEventQuery", Program::at(4));
    QCOMPARE(p.broken(), QString("B1"));
    QVERIFY(p.last[0].text.find("cudaEventQuery") != std::string::npos);
}

void TestHazardLedger::syncsAreMadeAtOnce()
{
    Program p;
    p.ledger.syncFromEvent(&p.sync, &p.event, {});
    QCOMPARE(p.broken(), QString("D2"));
    p.ledger.record(&p.event, &p.stream, {});
    p.kernel(p.stream, p.elsewhere, Access::Write); // The sync comes late.
    p.ledger.syncFromEvent(&p.sync, &p.event, {});
    QCOMPARE(p.broken(), QString("D1"));
    p.ledger.record(&p.event, &p.stream, {});
    p.ledger.syncFromEvent(&p.sync, &p.event, {});
    QCOMPARE(p.broken(), QString());
    // A later record does not move the sync: GL is ordered behind the kernel before the first one only.
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.record(&p.event, &p.stream, {});
    p.ledger.glWaitSync(&p.glQueue, &p.sync);
    p.gl(Access::Read);
    QCOMPARE(p.broken(), QString("C1"));
}

void TestHazardLedger::eventsOfFencesAreNotRecorded()
{
    Program p;
    p.ledger.glFence(&p.glQueue, &p.fence);
    p.ledger.eventFromFence(&p.event, &p.fence);
    p.ledger.record(&p.event, &p.stream, {});
    QCOMPARE(p.broken(), QString("D4"));
}

void TestHazardLedger::aTextureIsNotRespecifiedInFlight()
{
    Program p;
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.glRespecify(&p.glQueue, &p.image, Program::at(4));
    QCOMPARE(p.broken(), QString("C6"));
    QCOMPARE(p.last[0].first->what, std::string("kernels"));
    QCOMPARE(p.last[0].second->queue, std::string("GL queue"));
    QCOMPARE(p.last[0].frame, 4u);

    Program late; // Nothing is in flight, but the image stays registered.
    late.kernel(late.stream, late.image, Access::Write);
    late.ledger.synchronize(&late.stream);
    late.gl(Access::Read); // GL's own commands are in order with it.
    late.ledger.glRespecify(&late.glQueue, &late.image, {});
    QCOMPARE(late.broken(), QString());
    late.ledger.glFinish(&late.glQueue);
    late.kernel(late.stream, late.image, Access::Write);
    QCOMPARE(late.broken(), QString("C6"));

    Program mended;
    mended.kernel(mended.stream, mended.image, Access::Write);
    mended.ledger.synchronize(&mended.stream);
    mended.ledger.removeMemory(&mended.image, {});
    mended.ledger.glRespecify(&mended.glQueue, &mended.image, {}); // No image of it is registered.
    mended.ledger.addImage(&mended.image, 64, 36, {});
    mended.kernel(mended.stream, mended.image, Access::Write);
    QCOMPARE(mended.broken(), QString());
}

void TestHazardLedger::registeringInEveryFrameCosts()
{
    Program p;
    for (std::uint32_t frame = 0; frame < 40; ++frame)
        p.ledger.addImage(&p.image, 8, 8, Program::at(frame % 4 == 0 ? 100 + frame : frame));
    QCOMPARE(p.broken(), QString()); // Not in every frame.
    for (std::uint32_t frame = 0; frame < 33; ++frame)
        p.ledger.addImage(&p.image, 8, 8, Program::at(500 + frame));
    QCOMPARE(p.broken(), QString("C5"));
}

void TestHazardLedger::copiesThatCost()
{
    Program p(Allocation::Pageable);
    p.ledger.copy(&p.stream, {&p.elsewhere, 0, 8, Access::Write}, {&p.memory, 0, 8, Access::Read}, {});
    QCOMPARE(p.broken(), QString("A17"));
    QVERIFY(ruleOf(p.last[0].rule).level == HazardLevel::Cost);
    p.ledger.copy(&p.stream, {&p.elsewhere, 0, 8, Access::Write}, {&p.memory, 0, 8, Access::Read}, {});
    QCOMPARE(p.broken(), QString()); // It is said once.
    Program managed(Allocation::Managed);
    managed.ledger.copy(&managed.stream, {&managed.elsewhere, 0, 8, Access::Write},
                        {&managed.memory, 0, 8, Access::Read}, {});
    QCOMPARE(managed.broken(), QString("A18"));
}

/// Where the CPU does not cache pinned memory.
constexpr HazardLedger::Conditions kUncached{.managedTurns = true, .uncachedPinned = true};

void TestHazardLedger::uncachedMemoryIsReadOnce()
{
    for (const Allocation allocation : {Allocation::Pinned, Allocation::PinnedMapped}) {
        Program p(allocation, kUncached);
        for (int frame = 0; frame < 3; ++frame) { // One read of what a kernel, or the CPU, has written.
            p.kernel(p.stream, p.memory, Access::Write);
            p.ledger.synchronize(&p.stream);
            p.touch(Access::Read);
            p.touch(Access::Write);
            p.touch(Access::Read);
            p.ledger.copy(&p.stream, {&p.memory, 0, 100, Access::Write}, {&p.elsewhere, 0, 100, Access::Read}, {});
            p.ledger.synchronize(&p.stream);
        }
        QCOMPARE(p.broken(), QString());
        p.ledger.beginCpuAccess({&p.memory, 0, 100, Access::Read}, {});
        p.ledger.beginCpuAccess({&p.memory, 100, 100, Access::Read}, {}); // Other bytes.
        QCOMPARE(p.broken(), QString());
        p.kernel(p.stream, p.memory, Access::Read); // Leaves the data as they are.
        p.ledger.beginCpuAccess({&p.memory, 199, 1, Access::Read}, Program::at(9));
        QCOMPARE(p.broken(), QString("A16"));
        QVERIFY(ruleOf(p.last[0].rule).level == HazardLevel::Cost);
        QCOMPARE(p.last[0].second->frame, 9u);
        p.touch(Access::Read);
        QCOMPARE(p.broken(), QString()); // It is said once.
    }
    for (const Allocation allocation : {Allocation::Pageable, Allocation::Managed, Allocation::Registered}) {
        Program cached(allocation, kUncached);
        cached.touch(Access::Read);
        cached.touch(Access::Read);
        QCOMPARE(cached.broken(), QString());
    }
    Program cached(Allocation::Pinned);
    cached.touch(Access::Read);
    cached.touch(Access::Read);
    QCOMPARE(cached.broken(), QString());
}

void TestHazardLedger::uncachedMemoryHasNoAtomics()
{
    Program p(Allocation::PinnedMapped, kUncached);
    p.touch(Access::Write); // Plain accesses are allowed.
    QCOMPARE(p.broken(), QString());
    p.ledger.cpuAtomics({&p.memory, 0, 4, Access::Write}, Program::at(5));
    QCOMPARE(p.broken(), QString("A15"));
    QCOMPARE(p.last[0].second->what, std::string("CPU access"));
    QCOMPARE(p.last[0].frame, 5u);
    p.ledger.cpuAtomics({&p.elsewhere, 0, 4, Access::Write}, {});
    QCOMPARE(p.broken(), QString());
    Program cached(Allocation::PinnedMapped);
    cached.ledger.cpuAtomics({&cached.memory, 0, 4, Access::Write}, {});
    QCOMPARE(cached.broken(), QString());
}

void TestHazardLedger::aRefusedRegistrationCosts()
{
    Program p;
    p.ledger.registrationFailed((4 << 20) - 1, {}); // For another reason.
    QCOMPARE(p.broken(), QString());
    p.ledger.registrationFailed(4 << 20, {});
    QCOMPARE(p.broken(), QString("A14"));
    QCOMPARE(p.last[0].memory, std::string("registered memory, 4194304 bytes"));
}

void TestHazardLedger::addressesAreUsedAgain()
{
    Program p;
    p.kernel(p.stream, p.elsewhere, Access::Write);
    p.ledger.removeStream(&p.stream);
    p.ledger.addStream(&p.fence); // Another stream, which takes the old one's place.
    p.kernel(p.fence, p.elsewhere, Access::Write);
    p.ledger.addStream(&p.stream);
    p.kernel(p.stream, p.elsewhere, Access::Read);
    QCOMPARE(p.broken(), QString("B5"));
    p.ledger.removeMemory(&p.elsewhere, {});
    p.broken();
    p.ledger.addBuffer(&p.elsewhere, Allocation::Device, 8); // New memory has no past.
    p.kernel(p.stream, p.elsewhere, Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::nonsenseIsIgnored()
{
    Program p;
    const Use use{&p.fence, 5, 10, Access::Write}; // Nobody announced it.
    p.ledger.launch(&p.stream, std::span(&use, 1), {});
    p.ledger.beginCpuAccess(use, {});
    p.ledger.endCpuAccess(use);
    p.ledger.endCpuAccess({&p.memory, 0, 8, Access::Read}); // It never began.
    p.ledger.eventSeen(&p.event);
    p.ledger.fenceSeen(nullptr);
    p.ledger.fenceSeen(&p.fence);
    p.ledger.glWaitSync(&p.glQueue, &p.sync);
    p.ledger.syncExecuted(&p.sync, true);
    p.ledger.wait(&p.stream, &p.event);
    p.ledger.removeMemory(&p.fence, {});
    p.ledger.removeStream(&p.fence);
    p.ledger.removeEvent(&p.event);
    p.ledger.takeBack(&p.fence);
    p.ledger.cpuAtomics(use, {});
    p.ledger.glRespecify(&p.glQueue, &p.fence, {});
    p.ledger.attach(&p.fence, Attach::Host, &p.stream, {});
    QCOMPARE(p.broken(), QString());
}

void TestHazardLedger::aLoopThatIsWrongIsBounded()
{
    Program p;
    for (int i = 0; i < 20000; ++i) {
        p.kernel(p.stream, p.memory, Access::Write);
        p.touch(Access::Read);
    }
    QVERIFY(p.ledger.takeHazards().size() <= 1000);
}

void TestHazardLedger::aHazardNamesBothSides()
{
    Program p;
    p.kernel(p.stream, p.image, Access::Write);
    p.gl(Access::Read);
    QCOMPARE(p.broken(), QString("C1"));
    const Hazard &hazard = p.last[0];
    QCOMPARE(hazard.memory, std::string("image shared with GL, 64x36"));
    QCOMPARE(hazard.first->what, std::string("kernels"));
    QVERIFY(hazard.first->queue.find("CUDA stream") == 0 && hazard.first->access == Access::Write);
    QCOMPARE(hazard.first->frame, 1u);
    QCOMPARE(hazard.first->timeNs, std::int64_t(1000));
    QCOMPARE(hazard.second->frame, 2u);
    QCOMPARE(hazard.frame, 2u);
    QCOMPARE(accessText(*hazard.second), std::string("GL commands on GL queue, a read, frame 2"));
}

JETSCOPE_TEST(TestHazardLedger)
#include "tst_hazardledger.moc"
