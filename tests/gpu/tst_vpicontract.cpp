// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The made-up VPI finds each way to break the documented contract: otherwise the tests of stages would show nothing.
#include "gpu/stages/vpi/vpiabi.h"
#include "tests/gpu/fakevpicalls.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

/// Objects of the made-up VPI for a call that breaks one rule.
struct Contract {
    explicit Contract(std::uint64_t backends = vpi::kCpu) : library(VpiLibrary::load(fakeFile("3"), 3).value())
    {
        f = library.functions();
        f.createStream(backends, &stream);
        in = image(vpi::kU8, kWidth, kHeight, vpi::kCpu | vpi::kPva);
        out = image(vpi::kU8, kWidth, kHeight, vpi::kCpu | vpi::kPva);
    }
    ~Contract()
    {
        f.destroyStream(stream);
        for (void *const each : images)
            f.destroyImage(each);
        static_cast<void>(violations());
    }
    vpi::Image image(std::uint64_t format, int width, int height, std::uint64_t backends)
    {
        void *made = nullptr;
        f.createImage(width, height, format, backends, &made);
        images.push_back(made);
        return made;
    }
    vpi::ImageData pixels(int width = kWidth, int bufferType = vpi::kHostPitchLinear)
    {
        return library.describe(vpi::kU8, width, kHeight, bufferType, memory.data(), static_cast<std::size_t>(width));
    }
    vpi::Image wrapper()
    {
        const vpi::ImageData data = pixels();
        void *made = nullptr;
        f.wrapImage(&data, nullptr, vpi::kCpu, &made);
        images.push_back(made);
        return made;
    }
    QString name(int status) const { return f.statusName(status); }
    int blur(std::uint64_t backend = vpi::kCpu, int size = 5, float sigma = 1)
    {
        return f.gaussian(stream, backend, in, out, size, size, sigma, sigma, vpi::kClamp);
    }

    VpiLibrary library;
    vpi::Functions f;
    vpi::Stream stream = nullptr;
    vpi::Image in = nullptr;
    vpi::Image out = nullptr;
    std::vector<void *> images;
    std::vector<std::byte> memory = std::vector<std::byte>(kWidth * kHeight);
};

struct RuleRow {
    const char *name;
    QString (*breakIt)(Contract &c);
    const char *expected;
};

QString harrisWith(Contract &c, int featureType, int capacity, float strength, int width, std::uint64_t backend)
{
    void *payload = nullptr;
    void *features = nullptr;
    void *scores = nullptr;
    c.f.createHarris(vpi::kCpu, width, kHeight, &payload);
    c.f.createArray(capacity, featureType, vpi::kCpu, &features);
    c.f.createArray(64, vpi::kU32Elements, vpi::kCpu, &scores);
    vpi::HarrisParameters parameters;
    c.f.initHarris(&parameters);
    parameters.strength = strength;
    const QString status = c.name(c.f.harris(c.stream, backend, payload, c.in, features, scores, &parameters));
    c.f.syncStream(c.stream);
    c.f.destroyPayload(payload);
    c.f.destroyArray(features);
    c.f.destroyArray(scores);
    return status;
}

const RuleRow kRules[] = {
    {"nothing", [](Contract &c) { return c.name(c.blur()) + c.name(c.f.syncStream(c.stream)) + violations(); },
     "VPI_SUCCESSVPI_SUCCESS"},
    {"an image goes before the wait",
     [](Contract &c) {
         c.blur();
         c.f.destroyImage(c.images.back());
         c.images.pop_back();
         const QString said = violations();
         c.stream = nullptr; // The made-up VPI would use the image.
         return said;
     },
     "an image is destroyed while a stream uses it"},
    {"an image goes twice",
     [](Contract &c) {
         c.f.destroyImage(c.images.back());
         c.f.destroyImage(c.images.back());
         c.images.pop_back();
         return violations();
     },
     "an image is destroyed twice"},
    {"a wrapper is pointed elsewhere before the wait",
     [](Contract &c) {
         c.in = c.wrapper();
         c.blur();
         const vpi::ImageData data = c.pixels();
         c.f.setWrapper(c.in, &data);
         return violations();
     },
     "gets other memory while a stream uses it"},
    {"a wrapper gets another size",
     [](Contract &c) {
         const vpi::ImageData data = c.pixels(kWidth - 2);
         return c.name(c.f.setWrapper(c.wrapper(), &data));
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"an image of VPI's own is pointed elsewhere",
     [](Contract &c) {
         const vpi::ImageData data = c.pixels();
         return c.name(c.f.setWrapper(c.in, &data));
     },
     "VPI_ERROR_INVALID_OPERATION"},
    {"host memory is wrapped as CUDA memory",
     [](Contract &c) {
         const vpi::ImageData data = c.pixels(kWidth, vpi::kCudaPitchLinear);
         void *made = nullptr;
         c.f.wrapImage(&data, nullptr, vpi::kCuda, &made);
         c.images.push_back(made);
         return violations();
     },
     "wrapped as another kind"},
    {"managed memory is wrapped as host memory",
     [](Contract &c) {
         FAKE(fakeVpiCudaMemory)(c.memory.data(), c.memory.size());
         c.wrapper();
         FAKE(fakeVpiCudaMemory)(nullptr, 0);
         return violations();
     },
     "wrapped as another kind"},
    {"an image is locked before the wait",
     [](Contract &c) {
         c.blur();
         vpi::ImageData data;
         return c.name(c.f.lockImage(c.in, vpi::kLockRead, vpi::kHostPitchLinear, &data));
     },
     "VPI_ERROR_BUFFER_LOCKED"},
    {"a locked image is used",
     [](Contract &c) {
         vpi::ImageData data;
         c.f.lockImage(c.in, vpi::kLockRead, vpi::kHostPitchLinear, &data);
         c.blur();
         const QString said = c.name(c.f.syncStream(c.stream));
         c.f.unlockImage(c.in);
         return said;
     },
     "VPI_ERROR_BUFFER_LOCKED"},
    {"an unlocked image is unlocked", [](Contract &c) { return c.name(c.f.unlockImage(c.in)); },
     "VPI_ERROR_INVALID_OPERATION"},
    {"the stream lacks the backend", [](Contract &c) { return c.name(c.blur(vpi::kPva)); },
     "VPI_ERROR_INVALID_OPERATION"},
    {"no backend", [](Contract &c) { return c.name(c.blur(0)); }, "VPI_ERROR_INVALID_ARGUMENT"},
    {"an even kernel", [](Contract &c) { return c.name(c.blur(vpi::kCpu, 4)); }, "VPI_ERROR_INVALID_ARGUMENT"},
    {"no sigma", [](Contract &c) { return c.name(c.blur(vpi::kCpu, 5, 0)); }, "VPI_ERROR_INVALID_ARGUMENT"},
    {"a format that the filter lacks",
     [](Contract &c) {
         c.in = c.image(vpi::kRgba8, kWidth, kHeight, vpi::kCpu);
         c.out = c.image(vpi::kRgba8, kWidth, kHeight, vpi::kCpu);
         return c.name(c.blur());
     },
     "VPI_ERROR_INVALID_IMAGE_FORMAT"},
    {"another size",
     [](Contract &c) {
         c.out = c.image(vpi::kU8, kWidth, kHeight + 1, vpi::kCpu);
         return c.name(c.blur());
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"a conversion that there is not",
     [](Contract &c) { return c.name(c.f.convert(c.stream, vpi::kCpu, c.in, c.out, nullptr)); },
     "VPI_ERROR_INVALID_IMAGE_FORMAT"},
    {"no CUDA stream",
     [](Contract &c) {
         void *made = nullptr;
         return c.name(c.f.wrapCudaStream(nullptr, vpi::kCuda, &made));
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"corners of another type", [](Contract &c) { return harrisWith(c, vpi::kU32Elements, 64, 20, kWidth, vpi::kCpu); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"fewer corners than scores", [](Contract &c) { return harrisWith(c, vpi::kKeypoints, 32, 20, kWidth, vpi::kCpu); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"corners that are too strong",
     [](Contract &c) { return harrisWith(c, vpi::kKeypoints, 64, 20.5F, kWidth, vpi::kCpu); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"a payload of another size",
     [](Contract &c) { return harrisWith(c, vpi::kKeypoints, 64, 20, kWidth + 1, vpi::kCpu); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"CUDA work behind unfinished work",
     [](Contract &c) {
         void *wrapped = nullptr;
         c.f.wrapCudaStream(streamNumber(5), vpi::kCpu, &wrapped);
         c.f.gaussian(wrapped, vpi::kCpu, c.in, c.out, 5, 5, 1, 1, vpi::kClamp);
         using Set = int(std::uint64_t, std::size_t, unsigned char, std::size_t, std::size_t, void *);
         vpiCall<Set>("cuMemsetD2D8Async")(reinterpret_cast<std::uintptr_t>(c.memory.data()), 1, 0, 1, 1,
                                           streamNumber(5));
         c.f.destroyStream(wrapped);
         return violations();
     },
     "CUDA work is put behind unfinished work of VPI"},
    {"input that is not complete",
     [](Contract &c) {
         FAKE(fakeVpiCudaMemory)(c.memory.data(), c.memory.size());
         FAKE(fakeVpiBusy)(streamNumber(6));
         const vpi::ImageData data = c.pixels(kWidth, vpi::kCudaPitchLinear);
         void *made = nullptr;
         c.f.wrapImage(&data, nullptr, vpi::kCpu, &made);
         c.images.push_back(made);
         c.in = made;
         c.blur();
         FAKE(fakeVpiCudaMemory)(nullptr, 0);
         vpiCall<int(void *)>("cuStreamSynchronize")(streamNumber(6));
         return violations();
     },
     "while a CUDA stream still works on it"},
};

} // namespace

class TestVpiContract : public QObject {
    Q_OBJECT

private slots:
    void theFakeKeepsTheContract_data();
    void theFakeKeepsTheContract();
};

void TestVpiContract::theFakeKeepsTheContract_data()
{
    QTest::addColumn<int>("rule");
    for (std::size_t i = 0; i < std::size(kRules); ++i)
        QTest::newRow(kRules[i].name) << static_cast<int>(i);
}

void TestVpiContract::theFakeKeepsTheContract()
{
    QFETCH(int, rule);
    const RuleRow &row = kRules[rule];
    useFake("3");
    Contract contract;
    const QString said = row.breakIt(contract);
    QVERIFY2(said.contains(row.expected), qPrintable(said));
}

QTEST_GUILESS_MAIN(TestVpiContract)
#include "tst_vpicontract.moc"
