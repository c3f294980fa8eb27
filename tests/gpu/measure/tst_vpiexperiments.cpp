// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The experiments about VPI with a made-up VPI and CUDA driver, which keep the documented contract. The figures are
// those of the made-up library, and are labelled so.
#include "gpu/measure/experiments.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "tests/gpu/fakevpicalls.h"
#include "tests/support/gpufixture.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

constexpr const char *kMadeUp = "a made-up VPI (simulated, no measurement of a device)";

struct Bench {
    Bench() : device(openDevice("soft:orin", displayOf("soft:orin")).value())
    {
        bench = ProbeBench::create(*device, displayOf("soft:orin"), kWidth, kHeight).value();
    }
    Result<PreparedExperiment> prepare(const QString &name)
    {
        return prepareExperiment(*experimentNamed(name.toStdString()), *bench);
    }
    std::unique_ptr<Device> device;
    std::unique_ptr<ProbeBench> bench;
};

Rounds runAll(std::vector<RoundStep> steps)
{
    RoundsMethod method;
    method.most = 2;
    Rounds rounds(std::move(steps), method);
    while (!rounds.isOver())
        rounds.step();
    return rounds;
}

/// What the steps say of failures.
QString failuresOf(std::vector<RoundStep> steps)
{
    QStringList all;
    const Rounds rounds = runAll(std::move(steps));
    for (const auto &[key, series] : rounds.all())
        all += QString::fromStdString(series.failure);
    all.removeAll(QString());
    all.removeDuplicates();
    return all.join("; ");
}

} // namespace

class TestVpiExperiments : public QObject {
    Q_OBJECT

private slots:
    void cleanup()
    {
        vpiTools() = {};
        nvivaTools() = {};
    }
    void eachGivesLabelledFigures_data();
    void eachGivesLabelledFigures();
    void whatIsMissingIsTheReason_data();
    void whatIsMissingIsTheReason();
    void failuresAreSaid_data();
    void failuresAreSaid();
    void wrongBytesAreSeen_data();
    void wrongBytesAreSeen();
    void whatVpiMayStillUseStays_data();
    void whatVpiMayStillUseStays();
};

void TestVpiExperiments::eachGivesLabelledFigures_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("variant");
    for (const char *name : {"vpi-attach", "vpi-order", "vpi-sync", "vpi-buffers"})
        for (const char *variant : {"2", "3", "4"})
            QTest::addRow("%s VPI %s", name, variant) << name << variant;
}

void TestVpiExperiments::eachGivesLabelledFigures()
{
    QFETCH(QString, name);
    QFETCH(QString, variant);
    useFake(variant.toStdString());
    vpiTools().label = kMadeUp;
    nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
    Bench bench;
    {
        Result<PreparedExperiment> prepared = bench.prepare(name);
        QVERIFY2(prepared.ok(), prepared.ok() ? "" : prepared.error().message().c_str());
        QCOMPARE(prepared.value().measuredOn, std::string(kMadeUp));
        const Rounds rounds = runAll(std::move(prepared.value().steps));
        const ExperimentResult result = experimentResult(*experimentNamed(name.toStdString()),
                                                         prepared.value().measuredOn, prepared.value().design, rounds);
        for (std::size_t way = 0; way < result.figures.size(); ++way)
            for (const RoundSeries &series : result.figures[way]) {
                const bool isNewer = name == "vpi-order" && way == 2 && variant != "4";
                QCOMPARE(QString::fromStdString(series.failure).contains("vpiSubmitCUDAHostFunction"), isNewer);
                QCOMPARE(series.count() > 0, !isNewer);
                QVERIFY(isNewer || series.estimate().value > 0);
            }
        QCOMPARE(result.device, std::string(kMadeUp));
    }
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiExperiments::whatIsMissingIsTheReason_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no VPI") << "vpi-sync"
                            << ""
                            << "none of libnvvpi.so.4, .3 and .2 was found";
    QTest::newRow("no PVA") << "vpi-attach"
                            << "3_without_engines"
                            << "has no PVA on this machine; it has CPU and CUDA";
    QTest::newRow("no VIC") << "vpi-buffers"
                            << "3_without_engines"
                            << "has no VIC on this machine; it has CPU and CUDA";
    QTest::newRow("no buffers") << "vpi-buffers"
                                << "3"
                                << "there is no libnvbufsurface.so, which only a Jetson has";
    QTest::newRow("CUDA in its place") << "vpi-order"
                                       << "3_without_engines"
                                       << "";
}

void TestVpiExperiments::whatIsMissingIsTheReason()
{
    QFETCH(QString, name);
    QFETCH(QString, variant);
    QFETCH(QString, reason);
    if (!variant.isEmpty())
        useFake(variant.toStdString());
    else if (VpiLibrary::find(0).ok())
        QSKIP("this machine has VPI");
    Bench bench;
    const Result<PreparedExperiment> prepared = bench.prepare(name);
    QCOMPARE(prepared.ok(), reason.isEmpty());
    if (!prepared.ok())
        QVERIFY2(QString::fromStdString(prepared.error().text).contains(reason), prepared.error().text.c_str());
}

void TestVpiExperiments::failuresAreSaid_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("function");
    for (const auto &[name, function] :
         {std::pair("vpi-attach", "cuStreamAttachMemAsync"), std::pair("vpi-order", "vpiSubmitHostFunction"),
          std::pair("vpi-order", "cuMemcpy2DAsync"), std::pair("vpi-sync", "vpiStreamSync"),
          std::pair("vpi-sync", "vpiStreamCreate")})
        QTest::addRow("%s %s", name, function) << name << function;
}

void TestVpiExperiments::failuresAreSaid()
{
    QFETCH(QString, name);
    QFETCH(QString, function);
    useFake("3");
    Bench bench;
    const QByteArray failing = function.toUtf8();
    FAKE(fakeVpiFail)(failing.constData());
    QString said;
    {
        Result<PreparedExperiment> prepared = bench.prepare(name);
        said = prepared.ok() ? failuresOf(std::move(prepared.value().steps))
                             : QString::fromStdString(prepared.error().message());
    }
    FAKE(fakeVpiFail)("");
    QVERIFY2(said.contains(function), qPrintable(said));
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

namespace {

struct WrongRow {
    const char *name;
    const char *early; ///< The function that breaks the order.
    int forgotten;     ///< Which of VPI's works is not done.
    int variants;      ///< Whose bytes are wrong then: others wait once more.
};

const WrongRow kWrong[] = {
    {"vpi-attach", "vpiStreamSync", 0, 3},
    {"vpi-attach", "", 1, 3},
    {"vpi-order", "vpiStreamSync", 0, 3},
    {"vpi-order", "vpiSubmitHostFunction", 0, 1},
    {"vpi-order", "vpiSubmitCUDAHostFunction", 0, 1},
    {"vpi-order", "", 1, 3},
    {"vpi-sync", "vpiStreamSync", 0, 1},
    {"vpi-sync", "", 20, 3},
    {"vpi-buffers", "", 1, 3},
};

} // namespace

void TestVpiExperiments::wrongBytesAreSeen_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("stepsBefore");
    for (std::size_t row = 0; row < std::size(kWrong); ++row)
        for (const int before : {0, 1})
            if (testing::isTurnOf(2 * static_cast<int>(row) + before))
                QTest::addRow("%s %s %d behind %d", kWrong[row].name, kWrong[row].early, kWrong[row].forgotten, before)
                    << static_cast<int>(row) << before;
}

/// A copy or a read that comes before VPI's work once, or a work that VPI does not do once: in the first turn of a
/// variant as well as in a later one.
void TestVpiExperiments::wrongBytesAreSeen()
{
    QFETCH(int, row);
    QFETCH(int, stepsBefore);
    const WrongRow &wrong = kWrong[row];
    useFake("4");
    nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
    int seen = 0;
    {
        Bench bench;
        Result<PreparedExperiment> prepared = bench.prepare(wrong.name);
        JETSCOPE_VERIFY(prepared);
        RoundFigures figures;
        for (const RoundStep &step : prepared.value().steps) {
            for (int before = 0; before < stepsBefore; ++before)
                JETSCOPE_VERIFY(step.run(figures));
            FAKE(fakeVpiEarly)(wrong.early);
            FAKE(fakeVpiForget)(wrong.forgotten);
            const Status status = step.run(figures);
            FAKE(fakeVpiEarly)("");
            FAKE(fakeVpiForget)(0);
            seen += !status.ok() && status.error().text.find("the work was not ordered") != std::string::npos ? 1 : 0;
            JETSCOPE_VERIFY(step.run(figures)); // It was once.
        }
    }
    QCOMPARE(seen, wrong.variants);
    static_cast<void>(violations()); // The made-up driver tells of CUDA work that came too early, too.
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiExperiments::whatVpiMayStillUseStays_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("variant");
    for (const char *name : {"vpi-attach", "vpi-order", "vpi-sync", "vpi-buffers"})
        for (const char *variant : {"3", "4"})
            QTest::addRow("%s VPI %s", name, variant) << name << variant;
}

/// After a wait that failed, VPI does its work at any time, at the latest when its stream goes: what the work uses must
/// be there, also the objects of host functions.
void TestVpiExperiments::whatVpiMayStillUseStays()
{
    QFETCH(QString, name);
    QFETCH(QString, variant);
    useFake(variant.toStdString());
    nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
    {
        Bench bench;
        Result<PreparedExperiment> prepared = bench.prepare(name);
        JETSCOPE_VERIFY(prepared);
        FAKE(fakeVpiFail)("vpiStreamSync");
        const QString said = failuresOf(std::move(prepared.value().steps));
        QVERIFY2(said.contains("vpiStreamSync"), qPrintable(said));
    }
    FAKE(fakeVpiFail)("");
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

QTEST_GUILESS_MAIN(TestVpiExperiments)
#include "tst_vpiexperiments.moc"
