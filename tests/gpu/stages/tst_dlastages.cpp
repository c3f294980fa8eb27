// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages of cuDLA with a made-up cuDLA, NvSci and CUDA driver, in both modes: tensors hold what a plain reference says,
// the output is drawn, hostile loadables and options are refused, what is missing is said, and a task that hangs ends
// the program. tst_dlacontract has the calls.
#include "core/settings/filters.h"
#include "gpu/stages/stageset.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/dlaworld.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

constexpr int kWidth = DlaFrame::kWidth;
constexpr int kHeight = DlaFrame::kHeight;

/// In a process of its own: a task never ends.
int hangingDla(const std::string &file, const std::string &options)
{
    dlaTools() = dlaWorld(std::chrono::milliseconds(200));
    Result<DlaRun> run = DlaRun::open(file, options);
    hangTasks();
    if (!run.ok() || !run.value().frame(0, 9).ok())
        return 3;
    for (;;) // As a thread that waits for the device.
        pause();
}

} // namespace

class TestDlaStages : public QObject {
    Q_OBJECT

private slots:
    void init();
    void tensorsArePackedAndDrawn_data();
    void tensorsArePackedAndDrawn();
    void theLastTasksAreTold();
    void classesAreWritten();
    void halvesAreThoseOfTheCompiler();
    void hostileLoadablesAreRefused_data();
    void hostileLoadablesAreRefused();
    void optionsAreChecked_data();
    void optionsAreChecked();
    void whatIsMissingIsSaid_data();
    void whatIsMissingIsSaid();
    void filesThatAreNoLoadable();
    void modesAreExamined();
    void aTaskThatNeverEndsEndsTheProgram_data();
    void aTaskThatNeverEndsEndsTheProgram();

private:
    std::string write(const std::string &text);
    Result<DlaRun> open(const std::string &loadable, const std::string &options = {})
    {
        return DlaRun::open(write(loadable), options);
    }

    QTemporaryDir m_folder;
};

void TestDlaStages::init()
{
    renewDlaWorld();
    dlaTools() = dlaWorld();
}

std::string TestDlaStages::write(const std::string &text)
{
    const std::string path = m_folder.filePath("net.dla").toStdString();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path;
}

namespace {

/// The plain reference of a packed value: what the tensor has of a channel at a place.
double packedValue(const DlaFrame &frame, int channel, int x, int y, int width, int height, int channels, bool isBgr,
                   double mean, double scale)
{
    if (channel >= 3)
        return 0;
    const auto sampled = [&](int colour) {
        const auto place = [](int at, int to, int from) {
            return std::max<std::int64_t>(0, (2 * std::int64_t{at} + 1) * from * 128 / to - 128);
        };
        const std::int64_t px = place(x, width, kWidth);
        const std::int64_t py = place(y, height, kHeight);
        const auto pixel = [&](std::int64_t dx, std::int64_t dy) {
            return std::int64_t{frame.at(static_cast<int>(std::min<std::int64_t>(px / 256 + dx, kWidth - 1)),
                                         static_cast<int>(std::min<std::int64_t>(py / 256 + dy, kHeight - 1)), colour)};
        };
        const std::int64_t fx = px % 256;
        const std::int64_t fy = py % 256;
        return (pixel(0, 0) * (256 - fx) * (256 - fy) + pixel(1, 0) * fx * (256 - fy) + pixel(0, 1) * (256 - fx) * fy
                + pixel(1, 1) * fx * fy + 32768)
            / 65536;
    };
    const std::int64_t value = channels == 1 ? (77 * sampled(0) + 150 * sampled(1) + 29 * sampled(2) + 128) / 256
                                             : sampled(isBgr ? 2 - channel : channel);
    return (static_cast<double>(value) - mean) * scale;
}

struct TensorCase {
    const char *name;
    const char *loadable;
    const char *options;
    int channels, height, width;
    double mean, scale;
    bool isBgr;
    /// Where an element lies, in bytes.
    std::size_t (*place)(int c, int y, int x);
    std::size_t elementBytes;
};
const TensorCase kTensors[] = {
    {"NCHW half", kHeatLoadable, "", 3, 16, 24, 0, 1.0 / 255, false,
     [](int c, int y, int x) { return static_cast<std::size_t>((c * 16 + y) * 24 + x) * 2; }, 2},
    {"NCHW float, padded", "fakedla heat 1 1 1 20 30 128 4096 4096 1 1 1 20 30 128 0 4096",
     "?mean=127.5&scale=0.0078125", 1, 20, 30, 127.5, 0.0078125, false,
     [](int, int y, int x) { return static_cast<std::size_t>(y * 128 + x * 4); }, 4},
    {"NHWC uint8, four channels", "fakedla heat 2 5 3 50 99 0 0 19800 1 5 1 50 99 0 0 4950", "?order=bgr&high=255", 3,
     50, 99, 0, 1, true, [](int c, int y, int x) { return static_cast<std::size_t>((y * 99 + x) * 4 + c); }, 1},
    {"groups of 32 int8", "fakedla heat 3 4 3 17 33 1088 0 18496 3 4 40 17 33 0 0 35904", "?channel=39&high=127", 3, 17,
     33, 0, 0.5, false, [](int c, int y, int x) { return static_cast<std::size_t>(y * 1088 + x * 32 + c); }, 1},
    {"groups of 16 half", "fakedla heat 3 2 3 8 8 0 0 2048 1 2 1 8 8 0 0 128", "", 3, 8, 8, 0, 1.0 / 255, false,
     [](int c, int y, int x) { return static_cast<std::size_t>((y * 8 + x) * 32 + c * 2); }, 2},
};

/// The double nearest to an element.
double elementAt(const std::vector<unsigned char> &bytes, std::size_t place, std::size_t size, bool isSigned)
{
    if (size == 4) {
        float value = 0;
        std::memcpy(&value, bytes.data() + place, 4);
        return value;
    }
    if (size == 2) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes.data() + place, 2);
        return tensor::floatOf(half);
    }
    return isSigned ? static_cast<double>(static_cast<std::int8_t>(bytes[place])) : static_cast<double>(bytes[place]);
}

} // namespace

void TestDlaStages::tensorsArePackedAndDrawn_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("isStandalone");
    for (const bool isStandalone : {false, true})
        for (std::size_t i = 0; i < std::size(kTensors); ++i)
            QTest::addRow("%s, %s", kTensors[i].name, isStandalone ? "standalone" : "hybrid")
                << static_cast<int>(i) << isStandalone;
}

void TestDlaStages::tensorsArePackedAndDrawn()
{
    QFETCH(int, index);
    QFETCH(bool, isStandalone);
    const TensorCase &which = kTensors[index];
    Result<DlaRun> run = open(which.loadable,
                              which.options + std::string(which.options[0] ? "&dla=1" : "?dla=1")
                                  + (isStandalone ? "&mode=standalone" : ""));
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
    StageInstance &instance = *run.value().instance;
    const std::vector<StageNews> news = instance.takeNews();
    const std::string named = isStandalone ? "net.dla on DLA 1 in standalone mode" : "net.dla on DLA 1";
    QVERIFY(news.size() == 1 && news[0].text.find(named + "; input 'data': 1x") == 0);
    const bool isInt8 = which.scale == 0.5;
    const float high = which.elementBytes > 1 ? 1 : isInt8 ? 127 : 255;
    for (std::uint32_t frame = 0; frame < 4; ++frame) { // Of two streams.
        DlaFrame input(frame + 1);
        DlaFrame output(frame + 50);
        const Status ran = instance.run({frame, input.image(), output.image(), streamNumber(frame % 2 + 20)});
        QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().message().c_str());
        std::vector<unsigned char> packed(FAKE_DLA(fakeCudlaInput)(nullptr, 0));
        FAKE_DLA(fakeCudlaInput)(packed.data(), packed.size());
        for (int c = 0; c < which.channels; ++c)
            for (int y = 0; y < which.height; ++y)
                for (int x = 0; x < which.width; ++x) {
                    const double wanted = packedValue(input, c, x, y, which.width, which.height, which.channels,
                                                      which.isBgr, which.mean, which.scale);
                    const double found = elementAt(packed, which.place(c, y, x), which.elementBytes, isInt8);
                    // Half a step of the element.
                    const double step = which.elementBytes == 4 ? 1e-6
                        : which.elementBytes == 2               ? std::max(6e-8, std::fabs(wanted) / 2048)
                                                                : 0.5;
                    QVERIFY2(std::fabs(found - wanted) <= step * 1.0001,
                             qPrintable(QString("%1 %2 %3").arg(c).arg(x).arg(y)));
                }
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const int column = x * which.width / kWidth;
                const int row = y * which.height / kHeight;
                const double value = elementAt(packed, which.place(0, row, column), which.elementBytes, isInt8);
                const int heat = static_cast<int>(std::lround(std::clamp(value / high, 0.0, 1.0) * 256));
                QVERIFY(std::abs(output.at(x, y, 0) - (input.at(x, y, 0) * (512 - heat) + 255 * heat) / 512) <= 1);
                QVERIFY(std::abs(output.at(x, y, 2) - input.at(x, y, 2) * (512 - heat) / 512) <= 1);
                QCOMPARE(output.at(x, y, 3), input.at(x, y, 3));
            }
    }
    std::vector<StageWork> work;
    const auto taken = [&] {
        for (const StageWork &each : instance.takeWork())
            work.push_back(each);
        return work.size();
    };
    QTRY_COMPARE(taken(), std::size_t(4));
    for (const StageWork &each : work)
        QVERIFY(each.engine == std::string("DLA 1") && each.startNs < each.endNs && each.frame < 4);
    instance.forgetStream(streamNumber(20));
    // A device, a module, and two tensors and the semaphores of the other stream.
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), isStandalone ? 6 : 4);
    run.value().instance.reset();
    QCOMPARE(dlaWorldLive(), 0);
    QCOMPARE(dlaWorldViolations(), QString());
}

/// When a pipeline ends, the watching thread may not have looked at the last tasks yet.
void TestDlaStages::theLastTasksAreTold()
{
    const std::string name = "dla:" + write(kHeatLoadable) + "?dla=1";
    QVERIFY(addStages(name).ok());
    const std::vector<Filter> chain = {*choiceByName<Filter>(name)};
    DlaFrame input(1);
    DlaFrame output(2);
    for (std::uint64_t frame = 0; frame < 20; ++frame) {
        StageSet set(cudaStageDevice());
        QVERIFY(set.prepare(chain, DlaFrame::kWidth, DlaFrame::kHeight).ok());
        const auto stages = set.of(chain, DlaFrame::kWidth, DlaFrame::kHeight);
        QVERIFY(stages.ok() && stages.value()[0]->run({frame, input.image(), output.image(), streamNumber(3)}).ok());
        QCOMPARE(set.takeLastWork().size(), std::size_t(1));
    }
}

void TestDlaStages::classesAreWritten()
{
    // Class 5 of 8 has the greatest value of the first row: 200.
    Result<DlaRun> run = open("fakedla class 1 5 3 41 97 0 0 11931 1 5 8 1 1 0 0 8");
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
    DlaFrame input(1);
    std::fill(input.bytes.begin(), input.bytes.end(), std::byte{90});
    input.bytes[4 * 5] = std::byte{200};
    DlaFrame output(2);
    QVERIFY(run.value().instance->run({0, input.image(), output.image(), streamNumber(3)}).ok());
    std::string text;
    for (int y = 1; y <= 5; ++y) {
        for (int x = 1; x < 20; ++x)
            text += output.at(x, y, 0) == 255 ? '#' : output.at(x, y, 0) == 0 ? '.' : '?';
        text += '\n';
    }
    QCOMPARE(QString::fromStdString(text),
             QString("#.#.###.###.###.###\n"
                     "###.#.#.#.#.#.#.#..\n"
                     "#.#.#.#.#.#.#.#.###\n"
                     "###.#.#.#.#.#.#...#\n"
                     "#.#.###.###.###.###\n"));
    QCOMPARE(output.at(60, 3, 1), 90); // Beside the text.
    QCOMPARE(output.at(3, 20, 1), 90); // Below it.
}

void TestDlaStages::halvesAreThoseOfTheCompiler()
{
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        const float value = tensor::floatOf(static_cast<std::uint16_t>(half));
        if (std::isnan(value))
            QVERIFY(std::isnan(tensor::floatOf(tensor::halfOf(value))));
        else
            QCOMPARE(std::uint32_t{tensor::halfOf(value)}, half);
    }
    // Halfway between two halves: to the even one.
    QCOMPARE(std::uint32_t{tensor::halfOf(1.0F + 0x1p-11F)}, 0x3c00u);
    QCOMPARE(std::uint32_t{tensor::halfOf(1.0F + 0x3p-11F)}, 0x3c02u);
    QCOMPARE(std::uint32_t{tensor::halfOf(65520.0F)}, 0x7c00u);
    QCOMPARE(std::uint32_t{tensor::halfOf(65519.0F)}, 0x7bffu);
    QCOMPARE(std::uint32_t{tensor::halfOf(0x1p-25F)}, 0u);
    QCOMPARE(std::uint32_t{tensor::halfOf(0x1.8p-25F)}, 1u);
    QCOMPARE(std::uint32_t{tensor::halfOf(-0x1p-24F)}, 0x8001u);
}

void TestDlaStages::hostileLoadablesAreRefused_data()
{
    QTest::addColumn<QString>("loadable");
    QTest::addColumn<QString>("reason");
    const std::pair<const char *, const char *> rows[] = {
        {"", "has 0 bytes, so it is no loadable"},
        {"\x7f"
         "ELF",
         "cudlaErrorInvalidModule"},
        {"fakedla inputs 1 2 3 8 8 0 0 384 1 2 1 8 8 0 0 128", "has 2 inputs, and a frame fills one"},
        {"fakedla many 1 2 3 8 8 0 0 384 1 2 1 8 8 0 0 128", "has 1000 tensors on one side"},
        {"fakedla heat 1 2 5 8 8 0 0 640 1 2 1 8 8 0 0 128", "has 5 channels, and a frame has 1, 3 or 4"},
        {"fakedla heat 1 2 3 0 8 0 0 384 1 2 1 8 8 0 0 128", "is 1x3x0x8"},
        {"fakedla heat 1 2 3 8 99999 0 0 384 1 2 1 8 8 0 0 128", "at most 65536x16384x16384"},
        {"fakedla heat 1 2 3 8 8 8 0 384 1 2 1 8 8 0 0 128", "rows of 8 and channels of 64 bytes, which do not fit"},
        {"fakedla heat 1 2 3 8 8 0 64 384 1 2 1 8 8 0 0 128", "which do not fit into 384"},
        {"fakedla heat 1 2 3 8 8 0 0 383 1 2 1 8 8 0 0 128", "which do not fit into 383"},
        {"fakedla heat 1 2 3 8 8 0 4294967295 384 1 2 1 8 8 0 0 128", "which do not fit"},
        {"fakedla heat 7 2 3 8 8 0 0 384 1 2 1 8 8 0 0 128", "format 7"},
        {"fakedla heat 1 3 3 8 8 0 0 384 1 2 1 8 8 0 0 128", "element type 3"},
        {"fakedla heat 1 2 3 8 8 0 0 384 1 2 1 8 8 0 0 127", "which do not fit into 127"},
    };
    for (const auto &[loadable, reason] : rows)
        QTest::newRow(reason) << QString::fromLatin1(loadable) << QString(reason);
}

void TestDlaStages::hostileLoadablesAreRefused()
{
    QFETCH(QString, loadable);
    QFETCH(QString, reason);
    for (const char *options : {"", "?mode=standalone"}) {
        const Result<DlaRun> run = open(loadable.toLatin1().toStdString(), options);
        QVERIFY(!run.ok());
        QVERIFY2(QString::fromStdString(run.error().text).contains(reason), run.error().text.c_str());
        QCOMPARE(dlaWorldLive(), 0);
        QCOMPARE(dlaWorldViolations(), QString());
    }
}

/// What the file itself can be.
void TestDlaStages::filesThatAreNoLoadable()
{
    const auto reasonFor = [](const std::string &path) {
        const Result<DlaRun> run = DlaRun::open(path, {});
        return QString::fromStdString(run.ok() ? std::string("none") : run.error().message());
    };
    QVERIFY2(reasonFor("/nowhere/net.dla").startsWith("there is no file '/nowhere/net.dla'"),
             qPrintable(reasonFor("/nowhere/net.dla")));
    const std::string folder = m_folder.path().toStdString();
    QVERIFY2(reasonFor(folder).contains("is no file"), qPrintable(reasonFor(folder)));
    QVERIFY(reasonFor("/dev/zero").contains("is no file")); // Endless.
    const std::string pipe = folder + "/pipe";
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY(reasonFor(pipe).contains("is no file")); // Would block.
    const std::string huge = write("fakedla");
    std::filesystem::resize_file(huge, (std::uintmax_t{1} << 30) + 1); // Sparse.
    QVERIFY2(reasonFor(huge).contains("has 1073741825 bytes, so it is no loadable"), qPrintable(reasonFor(huge)));
    const std::string whole = kHeatLoadable;
    for (std::size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) // Truncated anywhere but in the last number.
        QVERIFY(!open(whole.substr(0, bytes)).ok() || bytes + 4 > whole.size());
    QCOMPARE(dlaWorldLive(), 0);
    // The name of a tensor does not reach a terminal as it is.
    cudla::TensorDescriptor named;
    std::memcpy(named.name, "\x1b[31mred\n", 9);
    QVERIFY2(describe("input", named).find("input '?[31mred") == 0, describe("input", named).c_str());
}

void TestDlaStages::modesAreExamined()
{
    DlaModes modes = examineDlaModes();
    QVERIFY(modes.hybrid.available && modes.standalone.available && modes.engines == 2 && modes.version == "1.2.1");
    dlaTools().syncs = "/nowhere/libnvscisync.so.1";
    modes = examineDlaModes();
    QVERIFY(modes.hybrid.available && !modes.standalone.available);
    QVERIFY2(modes.standalone.reason.find("libnvscisync.so.1 was not found") == 0, modes.standalone.reason.c_str());
    FAKE_DLA(fakeCudlaCount)(0);
    modes = examineDlaModes();
    QVERIFY(!modes.hybrid.available && modes.hybrid.reason.find("cuDLA finds no DLA") == 0);
    dlaTools().library = "/nowhere/libcudla.so";
    modes = examineDlaModes();
    QVERIFY(!modes.hybrid.available && modes.version.empty() && modes.standalone.reason == modes.hybrid.reason);
}

void TestDlaStages::optionsAreChecked_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    const std::pair<const char *, const char *> rows[] = {
        {"?dla=1&scale=0.01&mean=127.5&order=bgr&channel=3&low=-1&high=2&mode=hybrid", ""},
        {"?dla=16", "from 0 to 15, not '16'"},
        {"?dla=0.5", "must be a whole number"},
        {"?scale=0", ""}, // By the type of the elements.
        {"?scale=-1", "from 0 to 1000, not '-1'"},
        {"?colour=1", "no option 'colour'; its options are dla, mean, scale"},
        {"?mean=nan", "not 'nan'"},
        {"?low=1", "\"low\" must be below \"high\""},
        {"?order=gbr", "must be rgb or bgr, not 'gbr'"},
        {"?mode=standalone", ""},
        {"?mode=Standalone", "must be hybrid or standalone, not 'Standalone'"},
        {"?scale=1e999", "from 0 to 1000, not '1e999'"},
        {"?mean=0x10", "not '0x10'"},
        {"?high=inf", "not 'inf'"},
        {"?dla=-1", "from 0 to 15, not '-1'"},
        {"?dla= 1", "not ' 1'"},
        {"?channel=", "from 0 to 65535, not ''"},
    };
    for (const auto &[options, reason] : rows)
        QTest::newRow(options) << QString(options) << QString(reason);
}

void TestDlaStages::optionsAreChecked()
{
    QFETCH(QString, options);
    QFETCH(QString, reason);
    const Result<DlaPlan> plan = DlaPlan::parse(StageAddress::parse("net.dla" + options.toStdString()).value());
    QCOMPARE(plan.ok(), reason.isEmpty());
    if (!plan.ok())
        QVERIFY2(QString::fromStdString(plan.error().text).contains(reason), plan.error().text.c_str());
}

void TestDlaStages::whatIsMissingIsSaid_data()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("buffers");
    QTest::addColumn<QString>("syncs");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    const char *const cudla = JETSCOPE_FAKE_CUDLA;
    const char *const buffers = JETSCOPE_FAKE_NVSCIBUF;
    const char *const syncs = JETSCOPE_FAKE_NVSCISYNC;
    // Filters are known by their names, so each row has other options.
    const std::tuple<const char *, const char *, const char *, const char *, const char *> rows[] = {
        {cudla, buffers, syncs, "?dla=1", ""},
        {cudla, buffers, syncs, "?dla=1&mode=standalone", ""},
        {cudla, "/nowhere", "/nowhere", "?dla=1&mode=hybrid", ""},
        {"/nowhere", buffers, syncs, "?low=-1", "libcudla.so was not found"},
        {JETSCOPE_FAKE_DRIVER, buffers, syncs, "?low=-2", "has no function cudlaGetVersion"},
        {JETSCOPE_NEXT_CUDLA, buffers, syncs, "?low=-3", "is cuDLA 2.0.0, and Jetscope knows version 1 only"},
        {cudla, buffers, syncs, "?dla=2", "this machine has 2 DLAs, counted from 0, and not DLA 2"},
        {JETSCOPE_HYBRID_CUDLA, buffers, syncs, "?low=-4", ""},
        {JETSCOPE_HYBRID_CUDLA, buffers, syncs, "?low=-4&mode=standalone",
         "libcudla.so has no function cudlaImportExternalMemory, so it has no standalone mode"},
        {cudla, "/nowhere", syncs, "?low=-5&mode=standalone", "libnvscibuf.so.1 was not found; it comes with L4T"},
        {cudla, buffers, "/nowhere", "?low=-6&mode=standalone", "libnvscisync.so.1 was not found; it comes with L4T"},
        {cudla, syncs, syncs, "?low=-7&mode=standalone",
         "libnvscibuf.so.1 has no function NvSciBufCheckVersionCompatibility"},
        {cudla, JETSCOPE_OLD_NVSCIBUF, syncs, "?low=-8&mode=standalone",
         "libnvscibuf.so.1 is not compatible with version 2 of NvSciBuf"},
        {cudla, buffers, JETSCOPE_OLD_NVSCISYNC, "?low=-9&mode=standalone",
         "libnvscisync.so.1 is not compatible with version 2 of NvSciSync"},
    };
    for (const auto &[library, bufferLibrary, syncLibrary, options, reason] : rows)
        QTest::newRow(options) << QString(library) << QString(bufferLibrary) << QString(syncLibrary) << QString(options)
                               << QString(reason);
}

void TestDlaStages::whatIsMissingIsSaid()
{
    QFETCH(QString, library);
    QFETCH(QString, buffers);
    QFETCH(QString, syncs);
    QFETCH(QString, options);
    QFETCH(QString, reason);
    dlaTools().library = library.toStdString();
    dlaTools().buffers = buffers.toStdString();
    dlaTools().syncs = syncs.toStdString();
    const std::string name = "dla:" + write(kHeatLoadable) + options.toStdString();
    QVERIFY(addStages(name).ok());
    const FilterRow *row = filterRow(*choiceByName<Filter>(name));
    QCOMPARE(row->onCuda.available, reason.isEmpty());
    const std::string &said = row->onCpu.reason;
    QVERIFY2(said.find(reason.isEmpty() ? "needs a DLA and the CUDA device" : reason.toStdString())
                 != std::string::npos,
             said.c_str());
    QVERIFY2(reason.isEmpty() || row->onCuda.reason == said, row->onCuda.reason.c_str());
    if (!reason.isEmpty())
        return;
    // The box of the mode says why there is no standalone mode.
    const OptionChoice &standalone = row->options.back().choices.back();
    QCOMPARE(standalone.name, std::string("standalone"));
    const std::string lacks = library == JETSCOPE_HYBRID_CUDLA ? "libcudla.so has no function cudlaImportExternalMemory"
        : buffers == "/nowhere"                                ? "libnvscibuf.so.1 was not found"
                                                               : "";
    QCOMPARE(standalone.capability.available, lacks.empty());
    QVERIFY2(standalone.capability.reason.starts_with(lacks), standalone.capability.reason.c_str());
}

void TestDlaStages::aTaskThatNeverEndsEndsTheProgram_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("hybrid") << "?mode=hybrid";
    QTest::newRow("standalone") << "?mode=standalone";
}

void TestDlaStages::aTaskThatNeverEndsEndsTheProgram()
{
    QFETCH(QString, options);
    QProcess program;
    program.start("/proc/self/exe", {"--hanging", QString::fromStdString(write(kHeatLoadable)), options});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("DLA 0 has not ended its task of net.dla within 200 ms"), said.constData());
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 4 && argv[1] == std::string_view("--hanging"))
        return hangingDla(argv[2], argv[3]);
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestDlaStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_dlastages.moc"
