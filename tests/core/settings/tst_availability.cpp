// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/pipelineconfig.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using Level = Availability::Level;

namespace {

/// '.' legal, '!' unsafe, '-' unavailable.
char markOf(const Availability &availability)
{
    return availability.legal() ? '.' : availability.unavailable() ? '-' : '!';
}

/// One mark per value of a choice, in the order of its table.
template <class T>
QByteArray marks(const PipelineConfig &config, const DeviceFacts &facts)
{
    QByteArray out;
    for (const Choice<T> &choice : choices<T>())
        out += markOf(availability(choice.value, config, facts));
    return out;
}

template <class Check>
void forEveryCombination(Check check)
{
    PipelineConfig config;
    for (const auto &memory : choices<MemoryKind>())
        for (const auto &output : choices<OutputKind>())
            for (const auto &sync : choices<SyncMode>())
                for (const auto &cpuStage : choices<CpuStagePlacement>()) {
                    config.memory = memory.value;
                    config.output = output.value;
                    config.sync = sync.value;
                    config.cpuStage = cpuStage.value;
                    check(config);
                }
}

/// All combinations of the device facts that availability uses.
DeviceFacts factsOfBits(unsigned bits)
{
    const auto capability = [&](unsigned bit) {
        return bits & (1u << bit) ? Capability::yes() : Capability::no("missing " + std::to_string(bit));
    };
    DeviceFacts facts;
    facts.mapHostMemory = capability(0);
    facts.managedMemory = capability(1);
    facts.hostRegister = capability(2);
    facts.eglImage = capability(3);
    facts.eglSync = capability(4);
    facts.glInterop = capability(5);
    facts.eglStream = capability(6);
    facts.nvBuf = capability(7);
    // One of these is legal in each way that the others are: the rows differ by the member alone.
    facts.systemMemory = facts.prefetch = capability(1);
    facts.hostRegisterIo = facts.memoryPools = facts.dmabuf = capability(2);
    facts.concurrentManagedAccess = bits & (1u << 8);
    facts.streamFlags = facts.graphs = facts.semaphores = capability(9);
    return facts;
}
constexpr unsigned kAllFacts = 1u << 10;

} // namespace

Q_DECLARE_METATYPE(jetscope::DeviceFacts)

class TestAvailability : public QObject {
    Q_OBJECT

private slots:
    void tablePerDevice_data()
    {
        QTest::addColumn<DeviceFacts>("facts");
        QTest::addColumn<QByteArray>("memory");
        QTest::addColumn<QByteArray>("memoryBesideSameInput");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("sync");
        QTest::addColumn<QByteArray>("syncWithGlInterop");
        const auto row = [](const DeviceFacts &facts, const char *name, const char *memory, const char *sameInput,
                            const char *output, const char *sync, const char *glInterop) {
            QTest::newRow(name) << facts << QByteArray(memory) << QByteArray(sameInput) << QByteArray(output)
                                << QByteArray(sync) << QByteArray(glInterop);
        };
        // Columns: pageable pinned zero-copy unified unified-attach registered gl-texture nvbuf
        // system unified-prefetch registered-io pool dmabuf |
        // eglimage gl-interop eglstream copy-back | finish stream event poll callback eglsync implicit none flag graph
        // external
        const auto soft = test::softwareProfiles();
        row(soft[0], "nano", ".....-.------", "...!.-.------", ".--.", "......-!..-", ".......!..-");
        row(soft[1], "tx2", ".....-.------", "...!.-.------", ".--.", "......-!..-", ".......!..-");
        row(soft[2], "xavier", ".......---..-", "...!...---..-", ".--.", "......-!..-", ".......!..-");
        row(soft[3], "orin", ".......---..-", "...!...---..-", ".--.", "......-!..-", ".......!..-");
        row(soft[4], "thor", ".......-.....", ".......-.....", ".--.", "......-!..-", ".......!..-");
        row(test::jetsonFacts(), "a Jetson", "........--..-", "...!...---..-", "....", "......-!..-", ".......!..-");
        row(test::discreteFacts(), "discrete GPU", ".......--.-.-", ".......--.-.-", "....", ".....--!..-",
            ".....-.!..-");
        row(DeviceFacts{}, "nothing", "..-----------", "..-----------", "---.", ".....--!---", ".....-.!---");
    }
    void tablePerDevice()
    {
        QFETCH(DeviceFacts, facts);
        PipelineConfig config;
        QTEST(marks<MemoryKind>(config, facts), "memory");
        QTEST(marks<OutputKind>(config, facts), "output");
        QTEST(marks<SyncMode>(config, facts), "sync");
        QCOMPARE(marks<CpuStagePlacement>(config, facts), QByteArray("...."));
        config.output = OutputKind::GlInterop;
        QTEST(marks<SyncMode>(config, facts), "syncWithGlInterop");
        config.cpuStage = CpuStagePlacement::SameInput;
        QTEST(marks<MemoryKind>(config, facts), "memoryBesideSameInput");
        config.memory = MemoryKind::Unified;
        QCOMPARE(marks<CpuStagePlacement>(config, facts), QByteArray(facts.concurrentManagedAccess ? "...." : "...!"));
    }

    void everyObjectionHasAReason()
    {
        for (unsigned bits = 0; bits < kAllFacts; bits += 37) {
            const DeviceFacts facts = factsOfBits(bits);
            forEveryCombination([&](const PipelineConfig &config) {
                const Availability whole = availability(config, facts);
                QCOMPARE(whole.legal(), whole.reason.empty());
            });
            if (QTest::currentTestFailed())
                return;
        }
        QCOMPARE(availability(MemoryKind::NvBuf, {}, test::discreteFacts()).reason, std::string("not a Jetson"));
        QVERIFY(!availability(MemoryKind::ZeroCopy, {}, DeviceFacts{}).reason.empty()); // The device has none.
    }

    void theWholeIsAsBadAsItsWorstChoice()
    {
        PipelineConfig config;
        config.sync = SyncMode::None;
        const DeviceFacts facts = test::jetsonFacts();
        QCOMPARE(availability(config, facts).level, Level::Unsafe);
        DeviceFacts poorer = facts;
        poorer.eglImage = Capability::no("no image");
        QCOMPARE(availability(config, poorer).level, Level::Unavailable);
        QCOMPARE(availability(config, poorer).reason, std::string("no image"));
    }

    void countsOutOfRangeAreUnavailable()
    {
        const DeviceFacts facts = test::jetsonFacts();
        const auto check = [&](auto spoil) {
            PipelineConfig config;
            spoil(config);
            return availability(config, facts).unavailable()
                && availability(nearestLegal(config, facts), facts).legal();
        };
        QVERIFY(availability(PipelineConfig{}, facts).legal());
        QVERIFY(check([](PipelineConfig &c) { c.framesInFlight = 0; }));
        QVERIFY(check([](PipelineConfig &c) { c.framesInFlight = kMaxFramesInFlight + 1; }));
        QVERIFY(check([](PipelineConfig &c) { c.streams = -7; }));
        QVERIFY(check([](PipelineConfig &c) { c.streams = kMaxStreams + 1; }));
        QVERIFY(check([](PipelineConfig &c) { c.filters.assign(kMaxFilters + 1, Filter::Sobel); }));
    }

    void bestSyncModeIsSafeEverywhere()
    {
        QCOMPARE(bestSyncMode(OutputKind::GlInterop, test::jetsonFacts()), SyncMode::EglSync);
        QCOMPARE(bestSyncMode(OutputKind::GlInterop, test::discreteFacts()), SyncMode::Implicit);
        QCOMPARE(bestSyncMode(OutputKind::EglImage, test::discreteFacts()), SyncMode::Event);
    }

    void nearestLegalIsLegalAndNear()
    {
        for (unsigned bits = 0; bits < kAllFacts; ++bits) {
            const DeviceFacts facts = factsOfBits(bits);
            forEveryCombination([&](const PipelineConfig &wanted) {
                const PipelineConfig got = nearestLegal(wanted, facts);
                const bool legal = availability(got, facts).legal();
                // A value that was legal by itself is kept; the sync mode is judged together with the selected output.
                const bool near = (!availability(wanted.memory, wanted, facts).legal() || got.memory == wanted.memory)
                    && (!availability(wanted.output, wanted, facts).legal() || got.output == wanted.output)
                    && (!availability(wanted.sync, got, facts).legal() || got.sync == wanted.sync);
                PipelineConfig rest = wanted;
                rest.memory = got.memory;
                rest.output = got.output;
                rest.sync = got.sync;
                if (!legal || !near || !(rest == got) || !(nearestLegal(got, facts) == got))
                    QFAIL(qPrintable(QString("facts %1: %2").arg(bits).arg(describeChange(wanted, got).c_str())));
            });
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// Advice that this device cannot follow is none.
    void implicitNamesNoOutputThatIsLacking()
    {
        PipelineConfig config;
        const auto reason = [&](const DeviceFacts &facts) {
            return QString::fromStdString(availability(SyncMode::Implicit, config, facts).reason);
        };
        QVERIFY2(reason(test::discreteFacts()).endsWith("take output gl-interop first."),
                 qPrintable(reason(test::discreteFacts())));
        QVERIFY2(reason(test::softwareFacts("soft:orin", 8, 7)).endsWith("take another sync mode."),
                 qPrintable(reason(test::softwareFacts("soft:orin", 8, 7))));
    }

    void standInsAreTheLikest()
    {
        PipelineConfig wanted;
        wanted.memory = MemoryKind::Registered;
        QCOMPARE(nearestLegal(wanted, test::softwareFacts("soft:nano", 5, 3)).memory, MemoryKind::ZeroCopy);
        wanted.memory = MemoryKind::NvBuf;
        QCOMPARE(nearestLegal(wanted, test::discreteFacts()).memory, MemoryKind::GlTexture);
        wanted.memory = MemoryKind::Unified;
        wanted.cpuStage = CpuStagePlacement::SameInput;
        QCOMPARE(nearestLegal(wanted, test::jetsonFacts()).memory, MemoryKind::UnifiedAttach);
        wanted.output = OutputKind::GlInterop;
        wanted.sync = SyncMode::Implicit;
        const PipelineConfig soft = nearestLegal(wanted, test::softwareFacts("soft:orin", 8, 7));
        QCOMPARE(soft.output, OutputKind::EglImage);
        QCOMPARE(soft.sync, SyncMode::EglSync);
    }
};

JETSCOPE_TEST(TestAvailability)
#include "tst_availability.moc"
