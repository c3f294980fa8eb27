// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Own kernels without a GPU: NVIDIA's compiler needs none, and a made-up driver stands in for the device.
#include "core/settings/filters.h"
#include "gpu/stages/stageoptions.h"
#include "tests/gpu/kernelfixture.h"

#include <QFile>

#include <filesystem>

using namespace jetscope;
using namespace jetscope::testing;

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
    void theCacheKeepsMachineCode();
    void theCacheIsNeverTrusted_data();
    void theCacheIsNeverTrusted();
    void theCacheIsBounded();
    void theCacheTakesNoOtherHeaders();
    void aMissingCompilerIsSaid();
    void theRowSaysWhatADeviceLacks();
    void everyPieceIsAnnounced_data();
    void everyPieceIsAnnounced();
    void everyFormRuns_data();
    void everyFormRuns();

private:
    std::string write(const char *name, const std::string &text) { return m_folder.write(name, text); }
    QString errorOf(const std::string &text) { return m_folder.errorOf(text); }

    KernelFolder m_folder;
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

void TestKernelStages::theCacheKeepsMachineCode()
{
    const std::string path = write("cached.cu", rgbaKernel());
    const StageAddress address{path, {}};
    const Result<KernelSource> source = KernelSource::read(address);
    QVERIFY(source.ok());
    QVERIFY(!buildKernel(source.value(), path, kArchitecture).value().isCached);
    const Result<std::string> tried = triedKernel(source.value(), address, kernelDevice()); // Passes the trial.
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
    // A program that was killed while it wrote left a part; another one writes just now.
    const std::string left = cache.folder() + "/0123.cubin.12345";
    const std::string present = cache.folder() + "/4567.cubin.12346";
    for (const std::string &part : {left, present})
        std::ofstream(part) << "a part";
    std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    cache.store("identity", "machine code");
    QVERIFY(!std::filesystem::exists(left));
    QVERIFY(std::filesystem::exists(present));
}

/// A header that is saved between the reading of the source and its compilation.
void TestKernelStages::theCacheTakesNoOtherHeaders()
{
    kernelTools().isTried = false;
    write("number.cuh", "constexpr int kIndex = 0;\n");
    const StageAddress address{write("numbered.cu", "#include \"number.cuh\"\n" + rgbaKernel("out[kIndex] = in[0];")),
                               {}};
    const Result<KernelSource> source = KernelSource::read(address);
    QVERIFY(source.ok());
    write("number.cuh", "constexpr int kIndex = 11;\n");
    QVERIFY(triedKernel(source.value(), address, kernelDevice()).ok());
    write("number.cuh", "constexpr int kIndex = 0;\n");
    const Result<KernelSource> again = KernelSource::read(address);
    QVERIFY(again.ok() && again.value().identity() == source.value().identity());
    const Result<BuiltKernel> built = buildKernel(again.value(), "numbered.cu", kArchitecture);
    QVERIFY(built.ok() && !built.value().isCached);
    kernelTools().isTried = true;
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

namespace {

/// What a launch announces.
class Announcements final : public KernelObserver {
public:
    void *kernel(NameId name) override
    {
        add("kernel", name);
        return nullptr;
    }
    void copy(NameId name, std::uint64_t bytes) override { add("copy of " + QString::number(bytes), name); }
    void unknownKernels(NameId name) override { add("unknown", name); }
    QString text;

private:
    void add(const QString &what, NameId name) { text += what + ": " + spanName(name).c_str() + "\n"; }
};

} // namespace

void TestKernelStages::everyPieceIsAnnounced_data()
{
    addForms();
}

/// Else the timeline would show neither the kernel nor the copies of surfaces.
void TestKernelStages::everyPieceIsAnnounced()
{
    QFETCH(QString, text);
    QFETCH(bool, grey);
    QFETCH(bool, surfaces);
    KernelStage stage({write("announced.cu", text.toStdString()), {}});
    const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(kernelDevice(), 40, 20);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    instance.value()->setName(internName("announced.cu", Category::Kernel));
    Picture input(instance.value()->reads());
    Picture output(instance.value()->makes());
    Announcements said;
    QVERIFY(instance.value()->run({0, input.image(), output.image(), &said, &said}).ok());
    const QString bytes = QString::number(40 * 20 * (grey ? 1 : 4));
    const QString kernel = "kernel: announced.cu\n";
    QCOMPARE(said.text,
             surfaces
                 ? "copy of " + bytes + ": copy into array\n" + kernel + "copy of " + bytes + ": copy out of array\n"
                 : kernel);
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
        const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(kernelDevice(), 40, 20);
        QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
        QVERIFY(numberOfRun(*instance.value(), 1) > 0);
        QVERIFY(numberOfRun(*instance.value(), 2) > 0);
        QCOMPARE(askDriver("fakeDriverArrays"), surfaces ? 4 : 0); // A pair for each stream.
        const int events = askDriver("fakeDriverEvents");
        instance.value()->forgetStream(reinterpret_cast<void *>(std::uintptr_t{1})); // NOLINT
        QCOMPARE(askDriver("fakeDriverArrays"), surfaces ? 2 : 0);
        QCOMPARE(askDriver("fakeDriverEvents"), events / 2);
        QVERIFY(numberOfRun(*instance.value(), 1) > 0);
    }
    QCOMPARE(askDriver("fakeDriverModules"), before);
    QCOMPARE(askDriver("fakeDriverArrays"), 0);
    QCOMPARE(askDriver("fakeDriverEvents"), 0);
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QCoreApplication application(argc, argv);
    TestKernelStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kernelstages.moc"
