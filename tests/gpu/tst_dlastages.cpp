// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages of cuDLA with a made-up cuDLA and CUDA driver that keep the documented contract: tensors hold what a plain
// reference says, the output is drawn, each failure of a call is an error, a task that fails or hangs is said, and
// nothing is left registered.
#include "core/filters.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/cputensors.h"
#include "tests/support/fakecudla.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <dlfcn.h>
#include <fstream>
#include <thread>
#include <tuple>
#include <unistd.h>

using namespace jetscope;

namespace {

constexpr int kWidth = 97;
constexpr int kHeight = 41;

template <class Function>
Function *dlaCall(const char *library, const char *name)
{
    return reinterpret_cast<Function *>(dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), name));
}
#define FAKE_DLA(name) dlaCall<decltype(name)>(JETSCOPE_FAKE_CUDLA, #name)

QString violations()
{
    return QString::fromUtf8(FAKE_DLA(fakeCudlaViolations)());
}

void hang(bool hangs)
{
    dlaCall<void(bool)>(JETSCOPE_FAKE_DRIVER, "fakeDriverHang")(hangs);
}

void failEvents(int code)
{
    dlaCall<void(int)>(JETSCOPE_FAKE_DRIVER, "fakeDriverFailEvents")(code);
}

StageDevice cudaDevice()
{
    StageDevice device;
    device.memory = StageDevice::Memory::Cuda;
    return device;
}

/// A frame with padding behind its rows.
struct DlaFrame {
    explicit DlaFrame(std::uint32_t seed) : bytes(kPitch * kHeight)
    {
        for (std::byte &each : bytes)
            each = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24);
    }
    static constexpr std::size_t kPitch = kWidth * 4 + 20;
    StageImage image() { return {PixelFormat::Rgba8, kWidth, kHeight, bytes.data(), kPitch}; }
    int at(int x, int y, int channel) const
    {
        return static_cast<int>(
            bytes[static_cast<std::size_t>(y) * kPitch + static_cast<std::size_t>(4 * x + channel)]);
    }
    std::vector<std::byte> bytes;
};

void *streamNumber(std::uintptr_t number)
{
    return reinterpret_cast<void *>(number); // NOLINT
}

/// In a process of its own: a task never ends.
int hangingDla(const std::string &file)
{
    dlaTools() = {JETSCOPE_FAKE_CUDLA, JETSCOPE_FAKE_DRIVER, &testing::cpuTensorKernels(),
                  std::chrono::milliseconds(200)};
    const auto stage = DlaStage::create({file, {}});
    const auto instance = stage.ok() ? stage.value()->setUp(cudaDevice(), kWidth, kHeight)
                                     : Result<std::unique_ptr<StageInstance>>(stage.error());
    DlaFrame input(1);
    DlaFrame output(2);
    hang(true);
    if (!instance.ok() || !instance.value()->run({0, input.image(), output.image(), streamNumber(9)}).ok())
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
    void classesAreWritten();
    void halvesAreThoseOfTheCompiler();
    void everyFailureIsAnError_data();
    void everyFailureIsAnError();
    void hostileLoadablesAreRefused_data();
    void hostileLoadablesAreRefused();
    void optionsAreChecked_data();
    void optionsAreChecked();
    void whatIsMissingIsSaid_data();
    void whatIsMissingIsSaid();
    void tasksEndBeforeTheDeviceGoes();
    void aFailedTaskIsSaid();
    void aTaskThatNeverEndsEndsTheProgram();
    void theFakeKeepsTheContract();

private:
    std::string write(const std::string &text);
    Result<std::unique_ptr<StageInstance>> instanceOf(const std::string &loadable, const std::string &options = {});

    QTemporaryDir m_folder;
    std::unique_ptr<DlaStage> m_stage;
};

void TestDlaStages::init()
{
    dlaTools() = {JETSCOPE_FAKE_CUDLA, JETSCOPE_FAKE_DRIVER, &testing::cpuTensorKernels(), std::chrono::seconds(60)};
}

std::string TestDlaStages::write(const std::string &text)
{
    const std::string path = m_folder.filePath("net.dla").toStdString();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path;
}

Result<std::unique_ptr<StageInstance>> TestDlaStages::instanceOf(const std::string &loadable,
                                                                 const std::string &options)
{
    JETSCOPE_TRY_ASSIGN(const StageAddress address, StageAddress::parse(write(loadable) + options));
    JETSCOPE_TRY_ASSIGN(m_stage, DlaStage::create(address));
    return m_stage->setUp(cudaDevice(), kWidth, kHeight);
}

namespace {

constexpr const char *kHeat = "fakedla heat 1 2 3 16 24 0 0 2304 1 2 2 16 24 0 0 1536";

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
    {"NCHW half", kHeat, "", 3, 16, 24, 0, 1.0 / 255, false,
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
    for (std::size_t i = 0; i < std::size(kTensors); ++i)
        QTest::newRow(kTensors[i].name) << static_cast<int>(i);
}

void TestDlaStages::tensorsArePackedAndDrawn()
{
    QFETCH(int, index);
    const TensorCase &which = kTensors[index];
    Result<std::unique_ptr<StageInstance>> instance =
        instanceOf(which.loadable, which.options + std::string(which.options[0] ? "&dla=1" : "?dla=1"));
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    const std::vector<StageNews> news = instance.value()->takeNews();
    QVERIFY(news.size() == 1 && news[0].text.find("net.dla on DLA 1; input \"data\": 1x") == 0);
    const bool isInt8 = which.scale == 0.5;
    const float high = which.elementBytes > 1 ? 1 : isInt8 ? 127 : 255;
    for (std::uint32_t frame = 0; frame < 4; ++frame) { // Of two streams.
        DlaFrame input(frame + 1);
        DlaFrame output(frame + 50);
        const Status ran = instance.value()->run({frame, input.image(), output.image(), streamNumber(frame % 2 + 20)});
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
        for (const StageWork &each : instance.value()->takeWork())
            work.push_back(each);
        return work.size();
    };
    QTRY_COMPARE(taken(), std::size_t(4));
    for (const StageWork &each : work)
        QVERIFY(each.engine == std::string("DLA 1") && each.startNs < each.endNs && each.frame < 4);
    instance.value()->forgetStream(streamNumber(20));
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 4); // A device, a module, and two tensors of the other stream.
    instance.value().reset();
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 0);
    QCOMPARE(violations(), QString());
}

void TestDlaStages::classesAreWritten()
{
    // Class 5 of 8 has the greatest value of the first row: 200.
    Result<std::unique_ptr<StageInstance>> instance = instanceOf("fakedla class 1 5 3 41 97 0 0 11931 1 5 8 1 1 0 0 8");
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    DlaFrame input(1);
    std::fill(input.bytes.begin(), input.bytes.end(), std::byte{90});
    input.bytes[4 * 5] = std::byte{200};
    DlaFrame output(2);
    QVERIFY(instance.value()->run({0, input.image(), output.image(), streamNumber(3)}).ok());
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

void TestDlaStages::everyFailureIsAnError_data()
{
    QTest::addColumn<QString>("function");
    for (const char *function :
         {"cudlaGetVersion", "cudlaDeviceGetCount", "cudlaCreateDevice", "cudlaModuleLoadFromMemory",
          "cudlaModuleGetAttributes", "cudlaMemRegister", "cudlaSubmitTask"})
        QTest::newRow(function) << QString(function);
}

void TestDlaStages::everyFailureIsAnError()
{
    QFETCH(QString, function);
    const QByteArray name = function.toUtf8();
    FAKE_DLA(fakeCudlaFail)(name.constData());
    Result<std::unique_ptr<StageInstance>> instance = instanceOf(kHeat);
    Status status;
    DlaFrame input(1);
    DlaFrame output(2);
    if (instance.ok())
        status = instance.value()->run({0, input.image(), output.image(), streamNumber(3)});
    else
        status = instance.error();
    FAKE_DLA(fakeCudlaFail)("");
    QVERIFY(!status.ok());
    QCOMPARE(QString::fromStdString(status.error().call), function);
    QVERIFY2(status.error().text.find("cudlaErrorUmd: the DLA runtime failed") == 0, status.error().text.c_str());
    if (instance.ok())
        instance.value().reset();
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 0);
    QCOMPARE(violations(), QString());
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
    const Result<std::unique_ptr<StageInstance>> instance = instanceOf(loadable.toLatin1().toStdString());
    QVERIFY(!instance.ok());
    QVERIFY2(QString::fromStdString(instance.error().text).contains(reason), instance.error().text.c_str());
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 0);
    QCOMPARE(violations(), QString());
}

void TestDlaStages::optionsAreChecked_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    const std::pair<const char *, const char *> rows[] = {
        {"?dla=1&scale=0.01&mean=127.5&order=bgr&channel=3&low=-1&high=2&mode=hybrid", ""},
        {"?dla=16", "from 0 to 15, not '16'"},
        {"?dla=0.5", "must be a whole number"},
        {"?scale=0", "from 1e-06 to 1000, not '0'"},
        {"?mean=nan", "not 'nan'"},
        {"?low=1", "\"low\" must be below \"high\""},
        {"?order=gbr", "no option 'order=gbr'"},
        {"?mode=standalone", "standalone mode of cuDLA is not built"},
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
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<bool>("isThere");
    const std::tuple<const char *, const char *, const char *, bool> rows[] = {
        {JETSCOPE_FAKE_CUDLA, "?dla=1", "needs a DLA and the CUDA device", true},
        {"/nowhere/libcudla.so", "?low=-1", "libcudla.so was not found", false},
        {JETSCOPE_FAKE_DRIVER, "?low=-2", "has no function cudlaGetVersion", false},
        {JETSCOPE_NEXT_CUDLA, "?low=-3", "is cuDLA 2.0.0, and Jetscope knows version 1 only", false},
        {JETSCOPE_FAKE_CUDLA, "?dla=2", "this machine has 2 DLAs, counted from 0, and not DLA 2", false},
    };
    for (const auto &[library, options, reason, isThere] : rows)
        QTest::newRow(reason) << QString(library) << QString(options) << QString(reason) << isThere;
}

void TestDlaStages::whatIsMissingIsSaid()
{
    QFETCH(QString, library);
    QFETCH(QString, options);
    QFETCH(QString, reason);
    QFETCH(bool, isThere);
    dlaTools().library = library.toStdString();
    const std::string name = "dla:" + write(kHeat) + options.toStdString();
    QVERIFY(addStages(name).ok());
    const FilterRow *row = filterRow(*choiceByName<Filter>(name));
    QVERIFY2(row->onCpu.reason.find(reason.toStdString()) != std::string::npos, row->onCpu.reason.c_str());
    QCOMPARE(row->onCuda.available, isThere);
    QVERIFY2(isThere || row->onCuda.reason == row->onCpu.reason, row->onCuda.reason.c_str());
}

void TestDlaStages::tasksEndBeforeTheDeviceGoes()
{
    Result<std::unique_ptr<StageInstance>> instance = instanceOf(kHeat);
    QVERIFY(instance.ok());
    DlaFrame input(1);
    DlaFrame output(2);
    QVERIFY(!instance.value()->run({0, input.image(), output.image(), nullptr}).ok()); // Default streams.
    QVERIFY(!instance.value()->run({0, input.image(), output.image(), streamNumber(2)}).ok());
    hang(true);
    QVERIFY(instance.value()->run({0, input.image(), output.image(), streamNumber(3)}).ok());
    std::atomic<bool> isGone{false};
    std::thread destroyer([&] {
        instance.value().reset();
        isGone = true;
    });
    for (int look = 0; look < 100; ++look) { // Whatever happens first, the task is pending.
        std::this_thread::yield();
        QVERIFY(!isGone && FAKE_DLA(fakeCudlaLive)() == 4);
    }
    hang(false);
    destroyer.join();
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 0);
    QCOMPARE(violations(), QString());
}

/// Rule F2: CUDA says that an external device failed, and cuDLA has the cause.
void TestDlaStages::aFailedTaskIsSaid()
{
    Result<std::unique_ptr<StageInstance>> instance = instanceOf(kHeat);
    QVERIFY(instance.ok());
    static_cast<void>(instance.value()->takeNews());
    DlaFrame input(1);
    DlaFrame output(2);
    FAKE_DLA(fakeCudlaError)(0x40000006);
    failEvents(911);
    QVERIFY(instance.value()->run({0, input.image(), output.image(), streamNumber(3)}).ok());
    std::vector<StageNews> news;
    const auto isSaid = [&] {
        for (const StageNews &each : instance.value()->takeNews())
            news.push_back(each);
        return !news.empty();
    };
    QTRY_VERIFY(isSaid());
    failEvents(0);
    FAKE_DLA(fakeCudlaError)(0);
    QVERIFY(!news[0].isGood);
    QVERIFY2(news[0].text.find("net.dla on DLA 0: cudlaGetLastError: cudlaErrorDlaErrEngineTimeout") == 0,
             news[0].text.c_str());
    const Status later = instance.value()->run({1, input.image(), output.image(), streamNumber(3)});
    QVERIFY(!later.ok() && later.error().call == "cudlaGetLastError");
    QVERIFY(instance.value()->takeWork().empty());
    instance.value().reset();
    QCOMPARE(FAKE_DLA(fakeCudlaLive)(), 0);
}

void TestDlaStages::aTaskThatNeverEndsEndsTheProgram()
{
    QProcess program;
    program.start("/proc/self/exe", {"--hanging", QString::fromStdString(write(kHeat))});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("DLA 0 has not ended its task of net.dla within 200 ms"), said.constData());
}

/// What a stage must not do is found by the made-up cuDLA.
void TestDlaStages::theFakeKeepsTheContract()
{
    const CudlaLibrary library = CudlaLibrary::load(JETSCOPE_FAKE_CUDLA).value();
    const cudla::Functions &f = library.functions();
    const std::string loadable = kHeat;
    const auto *const bytes = reinterpret_cast<const std::uint8_t *>(loadable.data());
    cudla::Device device = nullptr;
    cudla::Module module = nullptr;
    cudla::Module second = nullptr;
    QCOMPARE(f.createDevice(2, &device, 0), 1);
    QCOMPARE(f.createDevice(0, &device, 0), 0);
    QCOMPARE(f.loadModule(device, bytes, 0, &module, 0), 1);
    QCOMPARE(f.loadModule(device, bytes, loadable.size(), &module, 0), 0);
    QCOMPARE(f.loadModule(device, bytes, loadable.size(), &second, 0), 13); // One for each device.
    std::vector<std::uint64_t> memory(1000);
    std::uint64_t *in = nullptr;
    std::uint64_t *out = nullptr;
    QCOMPARE(f.registerMemory(device, memory.data(), 2304, &in, 0), 0);
    QCOMPARE(f.registerMemory(device, memory.data(), 2304, &out, 0), 11); // Registered already.
    QCOMPARE(f.registerMemory(device, memory.data() + 500, 1535, &out, 0), 0);
    cudla::Task task;
    task.module = module;
    task.inputs = &in;
    task.inputCount = 1;
    task.outputs = &out;
    task.outputCount = 1;
    const auto submit = [&] { return f.submitTask(device, &task, 1, streamNumber(3), 0); };
    QCOMPARE(submit(), 4); // Too few bytes are registered.
    QCOMPARE(f.unregisterMemory(device, out), 0);
    QCOMPARE(f.unregisterMemory(device, out), 4);
    QCOMPARE(submit(), 4);
    QCOMPARE(f.registerMemory(device, memory.data() + 500, 1536, &out, 0), 0);
    QCOMPARE(submit(), 0);
    task.waitEvents = &task;
    QCOMPARE(submit(), 13); // Not in hybrid mode.
    task.waitEvents = nullptr;
    task.outputCount = 2;
    QCOMPARE(submit(), 1);
    task.outputCount = 1;
    QCOMPARE(f.submitTask(device, &task, 1, nullptr, 0), 0);
    QVERIFY(violations().contains("default stream"));
    QCOMPARE(f.destroyDevice(device), 0);
    QVERIFY(violations().contains("destroyed with a module or registered memory"));
    QCOMPARE(f.destroyDevice(device), 8);
    QCOMPARE(submit(), 8);
    QCOMPARE(f.unloadModule(nullptr, 0), 12);
    QCOMPARE(f.createDevice(1, &device, 1), 0);
    QVERIFY(violations().contains("standalone"));
    QCOMPARE(f.destroyDevice(device), 0);
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 3 && argv[1] == std::string_view("--hanging"))
        return hangingDla(argv[2]);
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestDlaStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_dlastages.moc"
