// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Libraries for nvivafilter without a GPU: a made-up driver stands in for the device. Their process is this program.
#include "core/recording/tracer.h"
#include "core/settings/filters.h"
#include "gpu/stages/nviva/nvivastage.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/longrun.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTest>

using namespace jetscope;

namespace {

std::string nvivaPath(const char *mode)
{
    return std::string(JETSCOPE_TEST_STAGES) + "/libjetscope_nviva_" + mode + ".so";
}

StageDevice madeUpDevice()
{
    return {StageDevice::Memory::Cuda, 0, 9, 0};
}

/// A picture in the memory of the made-up device, with padding behind its rows.
class NvivaPicture {
public:
    NvivaPicture(int width, int height)
        : m_width(width),
          m_height(height),
          m_pitch(static_cast<std::size_t>(width) * 4 + 28),
          m_bytes(m_pitch * static_cast<std::size_t>(height), std::byte{9})
    {
    }
    void fill()
    {
        std::uint32_t random = 17;
        for (std::byte &byte : m_bytes)
            byte = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
    }
    StageImage image() { return {PixelFormat::Rgba8, m_width, m_height, m_bytes.data(), m_pitch}; }
    /// Whether this is the other picture with these channels turned around, and the padding is untouched.
    QString differenceTo(const NvivaPicture &from, const std::vector<std::size_t> &turned) const
    {
        for (std::size_t i = 0; i < m_bytes.size(); ++i) {
            const std::size_t x = i % m_pitch;
            const bool isTurned = std::find(turned.begin(), turned.end(), x % 4) != turned.end();
            const std::byte wanted = x >= static_cast<std::size_t>(m_width) * 4 ? std::byte{9}
                : isTurned                                                      ? ~from.m_bytes[i]
                                                                                : from.m_bytes[i];
            if (m_bytes[i] != wanted)
                return QString("byte %1 of row %2").arg(x).arg(i / m_pitch);
        }
        return {};
    }

private:
    int m_width;
    int m_height;
    std::size_t m_pitch;
    std::vector<std::byte> m_bytes;
};

Status runOnce(StageInstance &instance, int width, int height)
{
    NvivaPicture input(width, height);
    NvivaPicture output(width, height);
    return instance.run({0, input.image(), output.image(), nullptr});
}

} // namespace

class TestNvivaStages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void theFunctionsThatAreWantedRun_data();
    void theFunctionsThatAreWantedRun();
    void hostileLibrariesAreRefused_data();
    void hostileLibrariesAreRefused();
    void aLaterCrashIsAnError();
    void wasteIsSaidOnce_data();
    void wasteIsSaidOnce();
    void theTraceShowsWhatTheLibraryDoes();
    void rehearsedProcessesAreUsed();
    void rowsSayWhatDevicesLack();
};

void TestNvivaStages::initTestCase()
{
    nvivaTools().driver = JETSCOPE_FAKE_DRIVER;
    nvivaTools().standIns = JETSCOPE_NVIVA_STANDINS;
}

void TestNvivaStages::init()
{
    nvivaTools().timeout = std::chrono::seconds(60); // Machines are busy.
    nvivaTools().surfaces = "/there/is/no/jetson.so";
    setStageTrialTimeout(std::chrono::seconds(60));
}

void TestNvivaStages::theFunctionsThatAreWantedRun_data()
{
    QTest::addColumn<QString>("surfaces");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QList<int>>("turned");
    int number = 0;
    for (const char *surfaces : {"/there/is/no/jetson.so", JETSCOPE_ARRAY_SURFACES, JETSCOPE_PITCHED_SURFACES}) {
        const auto row = [&](const char *name, const char *options, const QList<int> &turned) {
            if (!testing::isTurnOf(number++))
                return;
            QTest::addRow("%s, %s", name, qPrintable(QFileInfo(surfaces).fileName())) << surfaces << options << turned;
        };
        row("all", "", {0, 1, 2});
        row("gpu", "pre-process=0&post-process=0", {0});
        row("pre", "cuda-process=0&post-process=0", {1});
        row("gpu and post", "pre-process=0", {0, 2});
    }
}

void TestNvivaStages::theFunctionsThatAreWantedRun()
{
    QFETCH(QString, surfaces);
    QFETCH(QString, options);
    QFETCH(QList<int>, turned);
    nvivaTools().surfaces = surfaces.toStdString();
    const std::string name = nvivaPath("good") + (options.isEmpty() ? "" : "?" + options.toStdString());
    LoadedStage loaded = loadNvivaStage(StageAddress::parse(name).value());
    QVERIFY2(loaded.code, loaded.row.onCuda.reason.c_str());
    QCOMPARE(loaded.row.options.size(), std::size_t(3));
    for (const auto &[width, height] : {std::pair{40, 20}, std::pair{333, 177}, std::pair{1, 1}}) {
        const auto instance = loaded.code->setUp(madeUpDevice(), width, height);
        QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().text.c_str());
        NvivaPicture input(width, height);
        for (int frame = 0; frame < 3; ++frame) {
            input.fill();
            const NvivaPicture before = input;
            NvivaPicture output(width, height);
            const Status ran = instance.value()->run({1, input.image(), output.image(), nullptr});
            QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().text.c_str());
            QCOMPARE(output.differenceTo(before, {turned.begin(), turned.end()}), QString());
        }
    }
}

void TestNvivaStages::hostileLibrariesAreRefused_data()
{
    QTest::addColumn<bool>("isLoaded");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *mode, bool isLoaded, const char *reason) {
        QTest::newRow(mode) << isLoaded << reason;
    };
    row("no_init", false, "it exports no function init, as libraries for nvivafilter do");
    row("no_functions", false, "its init gives no function to call");
    row("crashes_init", false, "in its trial it crashed (Aborted)");
    row("hangs_init", false, "in its trial it did not return within 2000 ms");
    row("missing", false, "there is no file");
    row("never_registers", true, "did not ask for the frame by cuGraphicsEGLRegisterImage");
    row("wrong_image", true, "did not ask for the frame by cuGraphicsEGLRegisterImage");
    row("sloppy", true, "did not give the frame back by cuGraphicsUnregisterResource");
    row("crashes", true, "crashed (Aborted)");
    row("hangs", true, "did not return within 2000 ms");
    row("ends", true, "ended its process");
}

void TestNvivaStages::hostileLibrariesAreRefused()
{
    QFETCH(bool, isLoaded);
    QFETCH(QString, reason);
    const QString mode = QTest::currentDataTag();
    if (mode.startsWith("hangs")) {
        setStageTrialTimeout(std::chrono::milliseconds(2000));
        nvivaTools().timeout = std::chrono::milliseconds(2000);
    }
    const LoadedStage loaded = loadNvivaStage({nvivaPath(QTest::currentDataTag()), {}});
    QCOMPARE(loaded.code != nullptr, isLoaded);
    QString said = QString::fromStdString(loaded.row.onCuda.reason);
    if (loaded.code)
        said = QString::fromStdString(loaded.code->setUp(madeUpDevice(), 40, 20).error().text);
    QVERIFY2(said.contains(reason), qPrintable(said));
    QVERIFY2(said.contains("he library \"libjetscope_nviva_"), qPrintable(said));
}

void TestNvivaStages::aLaterCrashIsAnError()
{
    NvivaStage stage(nvivaPath("crashes_third"), "g");
    for (int i = 0; i < 2; ++i) { // A new process is as good as the first one.
        const auto instance = stage.setUp(madeUpDevice(), 40, 20);
        QVERIFY(instance.ok());
        QVERIFY(runOnce(*instance.value(), 40, 20).ok());
        const Status third = runOnce(*instance.value(), 40, 20);
        QVERIFY(!third.ok());
        QVERIFY2(third.error().text.find("crashed (Aborted)") != std::string::npos, third.error().text.c_str());
        QVERIFY(!runOnce(*instance.value(), 40, 20).ok());
    }
}

void TestNvivaStages::wasteIsSaidOnce_data()
{
    QTest::addColumn<QString>("surfaces");
    QTest::addColumn<QString>("said");
    QTest::newRow("stand-ins")
        << "/there/is/no/jetson.so"
        << "registers its EGLImage in every frame and waits for all work of the device, which takes ";
    QTest::newRow("EGLImage") << JETSCOPE_PITCHED_SURFACES << "registers its EGLImage in every frame, which takes ";
}

void TestNvivaStages::wasteIsSaidOnce()
{
    QFETCH(QString, surfaces);
    QFETCH(QString, said);
    nvivaTools().surfaces = surfaces.toStdString();
    NvivaStage stage(nvivaPath("good"), "gbp");
    const auto instance = stage.setUp(madeUpDevice(), 40, 20);
    QVERIFY(instance.ok());
    std::vector<StageNews> news;
    for (int frame = 0; frame < 90; ++frame) {
        QVERIFY(runOnce(*instance.value(), 40, 20).ok());
        for (StageNews &one : instance.value()->takeNews())
            news.push_back(std::move(one));
        QCOMPARE(news.size(), std::size_t(frame < 29 ? 0 : 1));
    }
    QVERIFY(news[0].hazard && news[0].hazard->rule == RuleId::C5);
    const QString text = QString::fromStdString(news[0].hazard->text);
    QVERIFY2(text.contains(said) && text.contains(" ms of a frame"), qPrintable(text));
    QCOMPARE(text.contains("Stand-ins answer the registration here"), surfaces != JETSCOPE_PITCHED_SURFACES);
    QCOMPARE(news[0].hazard->memory, std::string("an EGLImage of 40x20 pixels"));

    NvivaStage onCpu(nvivaPath("good"), "bp"); // Registers nothing.
    const auto quiet = onCpu.setUp(madeUpDevice(), 40, 20);
    QVERIFY(quiet.ok());
    for (int frame = 0; frame < 60; ++frame)
        QVERIFY(runOnce(*quiet.value(), 40, 20).ok());
    QVERIFY(quiet.value()->takeNews().empty());
}

void TestNvivaStages::theTraceShowsWhatTheLibraryDoes()
{
    NvivaStage stage(nvivaPath("good"), "gbp");
    const auto instance = stage.setUp(madeUpDevice(), 40, 20);
    QVERIFY(instance.ok());
    Tracer tracer;
    {
        const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
        const FrameScope frame(7);
        QVERIFY(runOnce(*instance.value(), 40, 20).ok());
    }
    std::vector<Span> spans;
    tracer.collect(spans);
    const auto named = [&](const char *start) {
        std::vector<Span> found;
        for (const Span &span : spans)
            if (spanName(span.name).starts_with(start))
                found.push_back(span);
        return found;
    };
    QCOMPARE(spans.size(), std::size_t(6));
    const Span whole = named("process of libjetscope_nviva_good.so").at(0);
    QCOMPARE(named("cuCtxSynchronize in ").size(), std::size_t(2));
    const Span gpu = named("gpu_process of ").at(0);
    const auto isWithin = [](const Span &inner, const Span &outer) {
        return inner.startNs >= outer.startNs && inner.endNs() <= outer.endNs() && inner.depth == outer.depth + 1;
    };
    for (const Span &wait : named("cuCtxSynchronize in "))
        QVERIFY(isWithin(wait, gpu));
    for (const Span &part : {named("pre_process of ").at(0), gpu, named("post_process of ").at(0)}) {
        QVERIFY(isWithin(part, whole));
        QCOMPARE(part.frame, 7u);
        QVERIFY(isWait(spanCategory(part.name)));
    }
}

void TestNvivaStages::rehearsedProcessesAreUsed()
{
    NvivaStage stage(nvivaPath("good"), "g");
    QVERIFY(stage.rehearse(madeUpDevice()).ok());
    const std::string command = nvivaTools().standIns;
    nvivaTools().standIns = "/there/is/no/library"; // No other process can be started.
    const bool first = stage.setUp(madeUpDevice(), 40, 20).ok();
    const Result<std::unique_ptr<StageInstance>> second = stage.setUp(madeUpDevice(), 40, 20);
    nvivaTools().standIns = command;
    QVERIFY(first && !second.ok());
    QVERIFY2(second.error().text.find("libjetscope-nviva.so cannot be loaded") != std::string::npos,
             second.error().text.c_str());
}

void TestNvivaStages::rowsSayWhatDevicesLack()
{
    const Result<Filter> loaded = loadStage("nviva:" + nvivaPath("good"));
    QVERIFY(loaded.ok());
    const FilterRow &row = *filterRow(loaded.value());
    QVERIFY(row.onCuda.available && !row.onCpu.available);
    QVERIFY(row.onCpu.reason.find("calls CUDA, and the software iGPU has none") != std::string::npos);
    DeviceFacts software;
    software.software = true;
    QCOMPARE(rehearseStage(loaded.value(), software).error().text, row.onCpu.reason);
    const Result<Filter> wrong = loadStage("nviva:" + nvivaPath("good") + "?cuda-process=2");
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().text.find("must be a whole number from 0 to 1, not '2'") != std::string::npos);
    nvivaTools().driver = "/there/is/no/driver.so";
    const auto without = stageOf(loaded.value())->setUp(madeUpDevice(), 40, 20);
    nvivaTools().driver = JETSCOPE_FAKE_DRIVER;
    QVERIFY(!without.ok());
    QVERIFY(without.error().text.find("there is no NVIDIA driver") != std::string::npos);
}

int main(int argc, char **argv)
{
    if (const std::optional<int> child = stageTrialIfAsked(argc, argv))
        return *child;
    QCoreApplication application(argc, argv);
    TestNvivaStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_nvivastages.moc"
