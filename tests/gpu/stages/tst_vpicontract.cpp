// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The made-up VPI finds each way to break the documented contract: otherwise the tests of stages would show nothing.
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/vpi/vpiabi.h"
#include "tests/gpu/fakevpicalls.h"
#include "tests/gpu/jetsonbuffer.h"

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
    vpi::Image wrapperOf(const vpi::ImageData &data, std::uint64_t backends)
    {
        void *made = nullptr;
        f.wrapImage(&data, nullptr, backends, &made);
        images.push_back(made);
        return made;
    }
    /// A picture of a buffer becomes a smaller one, or is converted to grey, in a stream of the backend.
    QString rescaleBuffer(const JetsonBuffer &buffer, std::uint64_t backend)
    {
        return useBuffer(buffer, backend, true);
    }
    QString convertBuffer(const JetsonBuffer &buffer, std::uint64_t backend)
    {
        return useBuffer(buffer, backend, false);
    }
    QString name(int status) const { return f.statusName(status); }
    int blur(std::uint64_t backend = vpi::kCpu, int size = 5, float sigma = 1)
    {
        return f.gaussian(stream, backend, in, out, size, size, sigma, sigma, vpi::kClamp);
    }

    QString useBuffer(const JetsonBuffer &buffer, std::uint64_t backend, bool isRescaled)
    {
        const vpi::Image from = wrapperOf(VpiLibrary::describeNvBuffer(buffer.descriptor()), backend);
        const vpi::Image to =
            image(isRescaled ? vpi::kRgba8 : vpi::kY8Er, static_cast<int>(buffer.fake.width) / (isRescaled ? 2 : 1),
                  static_cast<int>(buffer.fake.height) / (isRescaled ? 2 : 1), backend);
        void *its = nullptr;
        f.createStream(backend, &its);
        const QString status = name(isRescaled ? f.rescale(its, backend, from, to, vpi::kLinear, vpi::kClamp, 0)
                                               : f.convert(its, backend, from, to, nullptr));
        f.syncStream(its);
        f.destroyStream(its);
        // Before the buffer goes.
        f.destroyImage(images[images.size() - 2]);
        images.erase(images.end() - 2);
        return status;
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
         FAKE(fakeVpiAbandon)(std::exchange(c.stream, nullptr));
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
    {"an array is locked before the wait",
     [](Contract &c) {
         void *payload = nullptr;
         void *arrays[2] = {};
         c.f.createHarris(vpi::kCpu, kWidth, kHeight, &payload);
         c.f.createArray(64, vpi::kKeypoints, vpi::kCpu, &arrays[0]);
         c.f.createArray(64, vpi::kU32Elements, vpi::kCpu, &arrays[1]);
         vpi::HarrisParameters parameters;
         c.f.initHarris(&parameters);
         c.f.harris(c.stream, vpi::kCpu, payload, c.in, arrays[0], arrays[1], &parameters);
         vpi::ArrayData data;
         const QString before = c.name(c.f.lockArray(arrays[0], vpi::kLockRead, vpi::kHostStructures, &data));
         c.f.syncStream(c.stream);
         const QString after = c.name(c.f.lockArray(arrays[0], vpi::kLockRead, vpi::kHostStructures, &data));
         c.f.unlockArray(arrays[0]);
         c.f.destroyPayload(payload);
         c.f.destroyArray(arrays[0]);
         c.f.destroyArray(arrays[1]);
         return before + after;
     },
     "VPI_ERROR_BUFFER_LOCKEDVPI_SUCCESS"},
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
    {"managed memory of the host",
     [](Contract &c) {
         const KernelDriver driver = KernelDriver::load(fakeFile("3")).value();
         std::uint64_t memory = 0;
         driver.allocateManaged(&memory, kWidth * kHeight, driver::kAttachGlobal);
         driver.attach(streamNumber(7), memory, 0, driver::kAttachHost);
         const vpi::ImageData data = c.library.describe(vpi::kU8, kWidth, kHeight, vpi::kCudaPitchLinear,
                                                        reinterpret_cast<void *>(memory), kWidth);
         void *made = nullptr;
         c.f.wrapImage(&data, nullptr, vpi::kCpu, &made);
         c.images.push_back(made);
         c.in = made;
         c.blur();
         c.f.syncStream(c.stream);
         driver.free(memory);
         return violations();
     },
     "managed memory that is attached to the host"},
    {"a buffer that the CPU has not given to the device",
     [](Contract &c) {
         FakeEglImage buffer;
         std::vector<unsigned char> pixels(64 * 32 * 4);
         buffer.pixels = pixels.data();
         buffer.width = 64;
         buffer.height = 32;
         buffer.pitch = 64 * 4;
         buffer.isForDevice = false;
         const vpi::ImageData data = VpiLibrary::describeEglImage(&buffer);
         void *wrapped = nullptr;
         c.f.wrapImage(&data, nullptr, vpi::kCpu, &wrapped);
         const bool isHeld = buffer.registrations == 1;
         c.f.rescale(c.stream, vpi::kCpu, wrapped, c.image(vpi::kRgba8, 32, 16, vpi::kCpu), vpi::kLinear, vpi::kClamp,
                     0);
         c.f.syncStream(c.stream);
         c.f.destroyImage(wrapped);
         return violations() + (isHeld && buffer.registrations == 0 ? "held until then" : "not held");
     },
     "has not given to the device\nheld until then"},
    {"a descriptor that is none",
     [](Contract &c) {
         const vpi::ImageData data = VpiLibrary::describeNvBuffer(-1);
         void *made = nullptr;
         return c.name(c.f.wrapImage(&data, nullptr, vpi::kCpu, &made));
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"a buffer's wrapper gets another buffer",
     [](Contract &c) {
         JetsonBuffer buffers[2] = {JetsonBuffer(FakeEglImage::Format::Nv12), JetsonBuffer(FakeEglImage::Format::Nv12)};
         vpi::ImageData data = VpiLibrary::describeNvBuffer(buffers[0].descriptor());
         void *made = nullptr;
         c.f.wrapImage(&data, nullptr, vpi::kVic, &made);
         data = VpiLibrary::describeNvBuffer(buffers[1].descriptor());
         const QString status = c.name(c.f.setWrapper(made, &data));
         const bool isMoved = buffers[0].fake.registrations == 0 && buffers[1].fake.registrations == 1;
         data = VpiLibrary::describeEglImage(&buffers[0].fake);
         const QString other = c.name(c.f.setWrapper(made, &data));
         c.f.destroyImage(made);
         return status + (isMoved ? " moved " : " not moved ") + other;
     },
     "VPI_SUCCESS moved VPI_ERROR_INVALID_ARGUMENT"},
    {"no EGLImage",
     [](Contract &c) {
         const vpi::ImageData data = VpiLibrary::describeEglImage(nullptr);
         void *made = nullptr;
         return c.name(c.f.wrapImage(&data, nullptr, vpi::kVic, &made));
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"an EGLImage of another display",
     [](Contract &c) {
         JetsonBuffer buffer(FakeEglImage::Format::Nv12);
         buffer.fake.isOfDefaultDisplay = false;
         const vpi::ImageData data = VpiLibrary::describeEglImage(&buffer.fake);
         void *made = nullptr;
         return c.name(c.f.wrapImage(&data, nullptr, vpi::kVic, &made));
     },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"a buffer is used until the wait",
     [](Contract &c) {
         const JetsonBuffer buffer(FakeEglImage::Format::Rgba);
         const vpi::Image from = c.wrapperOf(VpiLibrary::describeNvBuffer(buffer.descriptor()), vpi::kCpu);
         const vpi::Image to = c.image(vpi::kRgba8, 32, 32, vpi::kCpu);
         c.f.rescale(c.stream, vpi::kCpu, from, to, vpi::kLinear, vpi::kClamp, 0);
         const int before = buffer.fake.readers;
         c.f.syncStream(c.stream);
         const int after = buffer.fake.readers;
         c.f.destroyImage(from);
         std::erase(c.images, from);
         return QString("%1 then %2").arg(before).arg(after);
     },
     "1 then 0"},
    {"a buffer is locked without the CPU",
     [](Contract &c) {
         const JetsonBuffer buffer(FakeEglImage::Format::Rgba);
         const vpi::Image wrapped = c.wrapperOf(VpiLibrary::describeNvBuffer(buffer.descriptor()), vpi::kVic);
         vpi::ImageData data;
         const QString status = c.name(c.f.lockImage(wrapped, vpi::kLockRead, vpi::kHostPitchLinear, &data));
         c.f.destroyImage(wrapped);
         c.images.pop_back();
         return status;
     },
     "VPI_ERROR_INVALID_OPERATION"},
    {"VIC reads a camera's buffer",
     [](Contract &c) {
         const JetsonBuffer buffer(FakeEglImage::Format::Nv12);
         return c.rescaleBuffer(buffer, vpi::kVic) + c.convertBuffer(buffer, vpi::kVic);
     },
     "VPI_SUCCESSVPI_SUCCESS"},
    {"CUDA rescales NV12 to RGBA",
     [](Contract &c) { return c.rescaleBuffer(JetsonBuffer(FakeEglImage::Format::Nv12), vpi::kCuda); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"CUDA converts NV12 of limited range",
     [](Contract &c) { return c.convertBuffer(JetsonBuffer(FakeEglImage::Format::Nv12), vpi::kCuda); },
     "VPI_ERROR_INVALID_IMAGE_FORMAT"},
    {"VIC reads NV12 of BT.709",
     [](Contract &c) {
         const JetsonBuffer buffer(FakeEglImage::Format::Nv12Of709);
         return c.rescaleBuffer(buffer, vpi::kVic) + c.convertBuffer(buffer, vpi::kVic);
     },
     "VPI_ERROR_INVALID_IMAGE_FORMATVPI_ERROR_INVALID_IMAGE_FORMAT"},
    {"VIC reads NV12 with an odd width",
     [](Contract &c) { return c.rescaleBuffer(JetsonBuffer(FakeEglImage::Format::Nv12, 65, 64), vpi::kVic); },
     "VPI_ERROR_INVALID_ARGUMENT"},
    {"CUDA reads a block-linear buffer",
     [](Contract &c) {
         JetsonBuffer buffer(FakeEglImage::Format::Rgba);
         buffer.fake.isBlockLinear = true;
         return c.rescaleBuffer(buffer, vpi::kCuda) + c.rescaleBuffer(buffer, vpi::kVic);
     },
     "VPI_ERROR_INVALID_IMAGE_FORMATVPI_SUCCESS"},
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
