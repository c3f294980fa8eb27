// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Own kernels without a GPU: NVIDIA's compiler needs none, and a made-up driver stands in for the device.
#include "core/filters.h"
#include "gpu/stages/kernelinstance.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stagetrial.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace jetscope;

namespace {

constexpr int kArchitecture = 90;
constexpr const char *kRgbaHead = "__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, "
                                  "size_t outPitch, int width, int height)";

std::string rgbaKernel(const std::string &body = "out[0] = in[0];")
{
    return std::string(kRgbaHead) + " { " + body + " }\n";
}

int askDriver(const char *function)
{
    void *const library = dlopen(JETSCOPE_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<int (*)()>(dlsym(library, function))();
}

void tellDriver(const char *function, bool value)
{
    void *const library = dlopen(JETSCOPE_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)(bool)>(dlsym(library, function))(value);
}

StageDevice device()
{
    return {StageDevice::Memory::Cuda, 0, kArchitecture / 10, kArchitecture % 10};
}

/// A picture in the memory of the made-up device.
struct Picture {
    explicit Picture(PixelFormat format) : layout(makeImageLayout(format, 40, 20)), bytes(layout.bytes) {}
    StageImage image() { return {layout.format, layout.width, layout.height, bytes.data(), layout.planes[0].pitch}; }
    ImageLayout layout;
    std::vector<std::byte> bytes;
};

/// One run; the number of the module whose kernel it was. 0 if it failed.
int numberOfRun(StageInstance &instance, std::uintptr_t stream = 1)
{
    Picture input(instance.reads());
    Picture output(instance.makes());
    const Status ran = instance.run({0, input.image(), output.image(), reinterpret_cast<void *>(stream)}); // NOLINT
    return ran.ok() ? static_cast<int>(output.bytes[5]) : 0;
}

/// In a process of its own: the event of a run never completes.
int hangingProgram(const std::string &file)
{
    kernelTools().driver = JETSCOPE_FAKE_DRIVER;
    kernelTools().isTried = false;
    kernelTools().cache = KernelCache("");
    kernelTools().timeout = std::chrono::milliseconds(200);
    const auto instance = KernelStage({file, {}}).setUp(device(), 40, 20);
    tellDriver("fakeDriverHang", true);
    if (!instance.ok() || numberOfRun(*instance.value()) == 0)
        return 3;
    for (;;) // As a thread that waits for the device.
        pause();
}

} // namespace

class TestKernelStages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void everyFormIsRecognised_data();
    void everyFormIsRecognised();
    void theExamplesCompile_data();
    void theExamplesCompile();
    void errorsNameFileAndLine();
    void otherKernelsAreRefused_data();
    void otherKernelsAreRefused();
    void optionsAreMacros();
    void optionsAreDeclared_data();
    void optionsAreDeclared();
    void includedFilesCount();
    void theCacheKeepsMachineCode();
    void theCacheIsNeverTrusted_data();
    void theCacheIsNeverTrusted();
    void theCacheIsBounded();
    void aMissingCompilerIsSaid();
    void theRowSaysWhatADeviceLacks();
    void everyFormRuns_data();
    void everyFormRuns();
    void savingTheFileUnderLoadLosesNothing();
    void aFailedReloadKeepsTheKernel();
    void aKernelThatNeverEndsEndsTheProgram();

private:
    std::string write(const char *name, const std::string &text);
    QString errorOf(const std::string &text);

    QTemporaryDir m_folder;
};

void TestKernelStages::initTestCase()
{
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    kernelTools().driver = JETSCOPE_FAKE_DRIVER;
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
}

void TestKernelStages::init()
{
    kernelTools().cache = KernelCache(m_folder.filePath("cache").toStdString());
    kernelTools().nvrtc.reset();
}

std::string TestKernelStages::write(const char *name, const std::string &text)
{
    const std::string path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path;
}

QString TestKernelStages::errorOf(const std::string &text)
{
    const Result<KernelSource> source = KernelSource::read({write("tried.cu", text), {}});
    if (!source.ok())
        return QString::fromStdString(source.error().text);
    const Result<BuiltKernel> built = buildKernel(source.value(), "tried.cu", kArchitecture);
    return built.ok() ? QString() : QString::fromStdString(built.error().text);
}

namespace {

void addForms()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("grey");
    QTest::addColumn<bool>("surfaces");
    QTest::newRow("RGBA, pitched") << QString::fromStdString(rgbaKernel()) << false << false;
    QTest::newRow("grey, pitched") << "__global__ void jetscope_filter(const unsigned char *in, size_t inPitch, "
                                      "unsigned char *out, size_t outPitch, int width, int height) { out[0] = in[0]; }"
                                   << true << false;
    QTest::newRow("RGBA, surfaces") << "__global__ void jetscope_filter(cudaSurfaceObject_t in, cudaSurfaceObject_t "
                                       "out, int width, int height) { uchar4 v; surf2Dread(&v, in, 0, 0); "
                                       "surf2Dwrite(v, out, 0, 0); }"
                                    << false << true;
    QTest::newRow("grey, surfaces") << "__global__ void jetscope_grey_filter(cudaSurfaceObject_t in, "
                                       "cudaSurfaceObject_t out, int width, int height) {}"
                                    << true << true;
}

} // namespace

void TestKernelStages::everyFormIsRecognised_data()
{
    addForms();
}

void TestKernelStages::everyFormIsRecognised()
{
    QFETCH(QString, text);
    QFETCH(bool, grey);
    QFETCH(bool, surfaces);
    const Result<KernelSource> source = KernelSource::read({write("form.cu", text.toStdString()), {}});
    QVERIFY(source.ok());
    const Result<BuiltKernel> built = buildKernel(source.value(), "form.cu", kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
    const Result<const KernelForm *> form = kernelFormIn(built.value().cubin);
    QVERIFY(form.ok());
    QCOMPARE(form.value()->format == PixelFormat::Grey8, grey);
    QCOMPARE(form.value()->onSurfaces, surfaces);
}

void TestKernelStages::theExamplesCompile_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"vignette.cu", "emboss.cu", "slow.cu"})
        QTest::newRow(file) << QString(JETSCOPE_KERNEL_EXAMPLES) + "/" + file;
}

void TestKernelStages::theExamplesCompile()
{
    QFETCH(QString, file);
    const Result<KernelSource> source = KernelSource::read({file.toStdString(), {}});
    QVERIFY(source.ok());
    const Result<BuiltKernel> built = buildKernel(source.value(), file.toStdString(), kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
}

void TestKernelStages::errorsNameFileAndLine()
{
    const QString one = errorOf("\n\n" + rgbaKernel("out[0] = nothing;"));
    QVERIFY2(one.startsWith("tried.cu(3): error: ") && one.contains("nothing"), qPrintable(one));
    const QString two = errorOf(rgbaKernel("a; \n b;"));
    QVERIFY2(two.startsWith("tried.cu(1): error: ") && two.endsWith("(the first of 2 errors)"), qPrintable(two));
    const QString missing = errorOf("#include \"there_is_no_such.cuh\"\n" + rgbaKernel());
    QVERIFY2(missing.startsWith("tried.cu(1): ") && missing.contains("there_is_no_such.cuh"), qPrintable(missing));
    // What no compiler should see comes through as its errors, too.
    QVERIFY(!errorOf(std::string(1000, '\0')).isEmpty());
    QVERIFY(!errorOf("\xff\xfe\x80").isEmpty());
    QVERIFY(errorOf(std::string(2 << 20, ' ')).contains("larger than 1 MiB"));
}

void TestKernelStages::otherKernelsAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("refusal");
    const QString other = "has other parameters than those that Jetscope passes";
    QTest::newRow("empty") << ""
                           << "has no kernel jetscope_filter";
    QTest::newRow("another name") << "__global__ void filter(int x) {}"
                                  << "has no kernel jetscope_filter";
    QTest::newRow("no kernel") << "__device__ int jetscope_filter(int x) { return x; }"
                               << "has no kernel jetscope_filter";
    QTest::newRow("other parameters") << "__global__ void jetscope_filter(int *x) {}" << other;
    QTest::newRow("extern C") << QString::fromStdString("extern \"C\" " + rgbaKernel()) << other;
}

void TestKernelStages::otherKernelsAreRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, refusal);
    const QString said = errorOf(text.toStdString());
    QVERIFY2(said.contains(refusal), qPrintable(said));
}

void TestKernelStages::optionsAreMacros()
{
    const std::string path = write("macro.cu", rgbaKernel("static_assert(SIZE == 7 && SHIFT == -1); out[0] = in[0];"));
    const Result<KernelSource> good = KernelSource::read({path, {{"SIZE", "7"}, {"SHIFT", "-1"}}});
    QVERIFY(good.ok() && buildKernel(good.value(), "macro.cu", kArchitecture).ok());
    const Result<KernelSource> other = KernelSource::read({path, {{"SIZE", "8"}, {"SHIFT", "-1"}}});
    QVERIFY(other.ok() && !buildKernel(other.value(), "macro.cu", kArchitecture).ok());
    const std::pair<const char *, const char *> malformed[] = {
        {"1A", "1"}, {"A-B", "1"}, {"A", ""}, {"A", "1 -O0"}, {"A", "\"x\""}};
    for (const auto &[key, value] : malformed) {
        const Result<KernelSource> bad = KernelSource::read({path, {{key, value}}});
        QVERIFY(!bad.ok());
        QVERIFY2(bad.error().text.find("is no macro") != std::string::npos, bad.error().text.c_str());
    }
}

void TestKernelStages::optionsAreDeclared_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("seen"); ///< Empty: an error; "none": no option.
    const auto row = [](const char *line, const char *seen) { QTest::newRow(line) << line << seen; };
    row("#define STRENGTH 0.8f // jetscope: 0 to 1, step 0.05: How dark.", "STRENGTH 0.8f 0 1 0.05 How dark.");
    row("  #  define N 7 //jetscope: -5 to 15 step 1: Pixels: all.\r", "N 7 -5 15 1 Pixels: all.");
    row("#define LEVEL 1e2 // jetscope: 0 to 1e3: Any.", "LEVEL 100 0 1000 0 Any.");
    row("#define STRENGTH 0.8f // how dark", "none");
    row("// jetscope: 0 to 1: Nothing is defined here.", "none");
    row("float x; // jetscope: 0 to 1: No macro.", "none");
    for (const char *wrong :
         {"#define // jetscope: 0 to 1: No name.", "#define X // jetscope: 0 to 1: No number.",
          "#define X word // jetscope: 0 to 1: No number.", "#define X 1 // jetscope: 0 to 1",
          "#define X 1 // jetscope: 0 to 1:", "#define X 1 // jetscope: 0..1: No range.",
          "#define X 1 // jetscope: 0 to: No end.", "#define X 2 // jetscope: 0 to 1: Outside.",
          "#define X 1 // jetscope: 1 to 0: The wrong way round.", "#define X 1 // jetscope: 0 to nan: No end.",
          "#define X 1 // jetscope: 0 to inf: No end.", "#define X 1 // jetscope: 0 to 1 step: No step.",
          "#define X 1 // jetscope: 0 to 1 step -1: Backwards.", "#define X 1 // jetscope: 0 to 1 by 2: No step.",
          "#define X 1abcd // jetscope: 0 to 1: No number.", "#define X 1 // jetscope:"})
        row(wrong, "");
}

void TestKernelStages::optionsAreDeclared()
{
    QFETCH(QString, line);
    QFETCH(QString, seen);
    const auto options = kernelOptionsIn("\n" + line.toStdString() + "\n", "blur.cu");
    QCOMPARE(options.ok(), !seen.isEmpty());
    if (!options.ok()) {
        QVERIFY2(options.error().text.starts_with("blur.cu(2): "), options.error().text.c_str());
        return;
    }
    QString said = "none";
    for (const FilterOption &option : options.value())
        said = QString("%1 %2%3 %4 %5 %6 %7")
                   .arg(option.name.c_str())
                   .arg(option.usual)
                   .arg(option.suffix.c_str())
                   .arg(option.least)
                   .arg(option.most)
                   .arg(option.step)
                   .arg(option.help.c_str());
    QCOMPARE(said, seen);
    const std::string twice = line.toStdString() + "\n";
    QCOMPARE(kernelOptionsIn(twice + twice, "blur.cu").ok(), seen == "none");
    // As the row of a stage, whose range is checked.
    if (seen.startsWith("STRENGTH")) {
        const std::string path = write("declared.cu", twice + rgbaKernel());
        QCOMPARE(loadKernelStage({path, {{"STRENGTH", "0.25f"}}}).row.options.front().value, 0.25);
        const std::string reason = loadKernelStage({path, {{"STRENGTH", "2"}}}).row.onCuda.reason;
        QVERIFY2(reason.find("must be a number from 0 to 1, not '2'") != std::string::npos, reason.c_str());
    }
}

void TestKernelStages::includedFilesCount()
{
    std::filesystem::create_directory(m_folder.filePath("sub").toStdString());
    write("sub/deep.cuh", "#include \"deeper.cuh\"\n#if 0\n#include \"../tops.cu\"\n#endif\n"); // A circle.
    write("sub/deeper.cuh", "constexpr int kOne = 1;\n");
    const std::string top = "#pragma once\n  #  include \"sub/deep.cuh\"\n" + rgbaKernel("out[kOne] = in[0];");
    const std::string path = write("tops.cu", top);
    const Result<KernelSource> before = KernelSource::read({path, {}});
    QVERIFY(before.ok());
    const Result<BuiltKernel> built = buildKernel(before.value(), "tops.cu", kArchitecture);
    QVERIFY2(built.ok(), built.ok() ? "" : built.error().text.c_str());
    QVERIFY(!before.value().isOutdated());
    write("sub/deeper.cuh", "constexpr int kOne = 01;\n");
    QVERIFY(before.value().isOutdated());
    const Result<KernelSource> after = KernelSource::read({path, {}});
    QVERIFY(after.ok() && after.value().identity() != before.value().identity());
}

void TestKernelStages::theCacheKeepsMachineCode()
{
    const std::string path = write("cached.cu", rgbaKernel());
    const StageAddress address{path, {}};
    const Result<KernelSource> source = KernelSource::read(address);
    QVERIFY(source.ok());
    QVERIFY(!buildKernel(source.value(), path, kArchitecture).value().isCached);
    const Result<std::string> tried = triedKernel(source.value(), address, device()); // Passes the trial.
    QVERIFY2(tried.ok(), tried.ok() ? "" : tried.error().message().c_str());
    QVERIFY(buildKernel(source.value(), path, kArchitecture).value().isCached);
    kernelTools().cache.store(buildKernel(source.value(), path, kArchitecture).value().identity, "machine code");
    const Result<BuiltKernel> again = buildKernel(source.value(), path, kArchitecture);
    QVERIFY(again.ok() && again.value().isCached);
    QCOMPARE(again.value().cubin, std::string("machine code"));
    QVERIFY(!buildKernel(source.value(), path, 80).value().isCached);
    const Result<KernelSource> other = KernelSource::read({write("cached.cu", rgbaKernel() + "// new\n"), {}});
    QVERIFY(!buildKernel(other.value(), path, kArchitecture).value().isCached);
    kernelTools().cache = KernelCache("/proc/there/is/no/such"); // Costs time only.
    kernelTools().cache.store("identity", "machine code");
    QVERIFY(!kernelTools().cache.find("identity"));
}

void TestKernelStages::theCacheIsNeverTrusted_data()
{
    QTest::addColumn<int>("damage");
    for (int damage = 0; damage < 6; ++damage)
        QTest::addRow("%d", damage) << damage;
}

void TestKernelStages::theCacheIsNeverTrusted()
{
    QFETCH(int, damage);
    const KernelCache cache(m_folder.filePath("damaged%1").arg(damage).toStdString());
    cache.store("identity", std::string(300, 'x'));
    QVERIFY(cache.find("identity") && !cache.find("identitz"));
    const auto entry = *std::filesystem::directory_iterator(cache.folder());
    QFile file(QString::fromStdString(entry.path().string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    switch (damage) {
    case 0:
        bytes.clear();
        break;
    case 1:
        bytes.chop(1);
        break;
    case 2:
        bytes.append('x');
        break;
    case 3:
        bytes[bytes.size() - 1] = 'y';
        break;
    case 4:
        bytes[2] = 'X';
        break;
    case 5: // Another source with the same hash.
        bytes.replace("identity", "identitz");
        break;
    }
    file.resize(0);
    file.seek(0);
    file.write(bytes);
    file.close();
    QVERIFY(!cache.find("identity"));
}

void TestKernelStages::theCacheIsBounded()
{
    const KernelCache cache(m_folder.filePath("bounded").toStdString());
    for (int i = 0; i < 80; ++i)
        cache.store("identity " + std::to_string(i), "machine code");
    std::size_t files = 0;
    for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(cache.folder()))
        ++files;
    QCOMPARE(files, std::size_t(64));
}

void TestKernelStages::aMissingCompilerIsSaid()
{
    const Result<KernelSource> source = KernelSource::read({write("any.cu", rgbaKernel("/* new */")), {}});
    kernelTools().nvrtc = NvrtcFile{"/there/is/no/libnvrtc.so", {}};
    QVERIFY(buildKernel(source.value(), "any.cu", kArchitecture).error().text.ends_with("; install libnvrtc again"));
    kernelTools().nvrtc = NvrtcFile{JETSCOPE_FAKE_DRIVER, {}};
    QVERIFY(buildKernel(source.value(), "any.cu", kArchitecture).error().text.find("has no function nvrtcVersion")
            != std::string::npos);
    kernelTools().nvrtc.reset();
    const std::string unknown = buildKernel(source.value(), "any.cu", 7).error().text;
    QVERIFY2(unknown.find("does not compile for this GPU (sm_7)") != std::string::npos, unknown.c_str());
}

void TestKernelStages::theRowSaysWhatADeviceLacks()
{
    const std::string name = "cu:" + write("row.cu", rgbaKernel());
    QVERIFY(addStages(name).ok());
    const FilterRow *row = filterRow(*choiceByName<Filter>(name));
    QVERIFY(row && row->isStage && row->onCuda.available && !row->onCpu.available);
    QVERIFY(row->onCpu.reason.find("which the software iGPU does not run") != std::string::npos);
    QCOMPARE(row->label, std::string("row.cu"));
    const std::string missing = "cu:/there/is/no.cu";
    QVERIFY(addStages(missing).ok());
    QVERIFY(filterRow(*choiceByName<Filter>(missing))->onCuda.reason.find("there is no file") != std::string::npos);
}

void TestKernelStages::everyFormRuns_data()
{
    addForms();
}

void TestKernelStages::everyFormRuns()
{
    QFETCH(QString, text);
    QFETCH(bool, surfaces);
    const int before = askDriver("fakeDriverModules");
    {
        KernelStage stage({write("runs.cu", text.toStdString()), {}});
        const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(device(), 40, 20);
        QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
        QVERIFY(numberOfRun(*instance.value(), 1) > 0);
        QVERIFY(numberOfRun(*instance.value(), 2) > 0);
        QCOMPARE(askDriver("fakeDriverArrays"), surfaces ? 4 : 0); // A pair for each stream.
    }
    QCOMPARE(askDriver("fakeDriverModules"), before);
    QCOMPARE(askDriver("fakeDriverArrays"), 0);
}

void TestKernelStages::savingTheFileUnderLoadLosesNothing()
{
    constexpr int kReloads = 100;
    kernelTools().isTried = false; // Of the trial, everyFormRuns knows.
    const char *const name = "saved.cu";
    KernelStage stage({write(name, rgbaKernel("out[0] = in[0];")), {}});
    Result<std::unique_ptr<StageInstance>> instance = stage.setUp(device(), 40, 20);
    QVERIFY(instance.ok());
    int newest = 0;
    int reloads = 0;
    for (int saved = 1; saved <= kReloads; ++saved) {
        write(name, rgbaKernel(saved % 2 != 0 ? "out[1] = in[0];" : "out[0] = in[0];"));
        for (const int before = reloads; reloads == before;) {
            const int number = numberOfRun(*instance.value());
            QVERIFY(number != 0 && number >= newest); // Never an older kernel.
            newest = number;
            for (const StageNews &news : instance.value()->takeNews()) {
                QVERIFY2(news.kind == StageNews::Kind::Changed, news.text.c_str());
                ++reloads;
            }
        }
    }
    const auto modules = [&] {
        numberOfRun(*instance.value());
        return askDriver("fakeDriverModules");
    };
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 1, 60'000);
    // A former kernel whose runs are not complete stays.
    tellDriver("fakeDriverHang", true);
    write(name, rgbaKernel("out[2] = in[0];"));
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 2, 60'000);
    const int asked = askDriver("fakeDriverQueries");
    QTRY_VERIFY_WITH_TIMEOUT(askDriver("fakeDriverQueries") > asked + 3, 60'000);
    QCOMPARE(modules(), 2);
    tellDriver("fakeDriverHang", false);
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 1, 60'000);
    instance.value().reset();
    QCOMPARE(askDriver("fakeDriverModules"), 0);
    // Only the thread of the runs changes the context.
    QCOMPARE(askDriver("fakeDriverModuleThreads"), 1);
    kernelTools().isTried = true;
}

void TestKernelStages::aFailedReloadKeepsTheKernel()
{
    const char *const name = "fails.cu";
    const std::string path = write(name, rgbaKernel());
    KernelStage stage({path, {}});
    const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(device(), 40, 20);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    const int number = numberOfRun(*instance.value());
    std::vector<StageNews> news;
    const auto take = [&] {
        numberOfRun(*instance.value()); // The next run loads what was compiled.
        for (StageNews &one : instance.value()->takeNews())
            news.push_back(std::move(one));
        return !news.empty();
    };
    write(name, "\n" + rgbaKernel("oh no;"));
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY(news.front().kind == StageNews::Kind::Refused);
    QVERIFY2(news.front().text.starts_with(path + "(2): error: "), news.front().text.c_str());
    QVERIFY(news.front().text.ends_with("; the former kernel goes on"));
    QCOMPARE(numberOfRun(*instance.value()), number);
    news.clear();
    write(name, "__global__ void jetscope_grey_filter(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int) {}");
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY(news.front().kind == StageNews::Kind::Refused
            && news.front().text.find("between RGBA and grey") != std::string::npos);
    news.clear();
    write(name, rgbaKernel("out[2] = in[2];"));
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY2(news.front().kind == StageNews::Kind::Changed, news.front().text.c_str());
    QVERIFY(numberOfRun(*instance.value()) > number);
}

void TestKernelStages::aKernelThatNeverEndsEndsTheProgram()
{
    const std::string path = write("hangs.cu", rgbaKernel());
    QProcess program;
    program.start("/proc/self/exe", {"--hanging", QString::fromStdString(path)});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("hangs.cu has not ended within 200 ms"), said.constData());
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 3 && argv[1] == std::string_view("--hanging"))
        return hangingProgram(argv[2]);
    QCoreApplication application(argc, argv);
    TestKernelStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kernelstages.moc"
