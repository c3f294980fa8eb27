// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The kernels around a network give the bytes of the same arithmetic on the CPU.
#include "gpu/cuda/check.h"
#include "tests/cuda/cudatests.h"
#include "tests/support/cputensors.h"

#include <QTest>

using namespace jetscope;

namespace {

/// Bytes in memory of the device and of the host.
struct TwinMemory {
    explicit TwinMemory(std::vector<std::byte> bytes) : host(std::move(bytes))
    {
        isThere = cudaMalloc(&device, host.size()) == cudaSuccess
            && cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice) == cudaSuccess;
    }
    ~TwinMemory() { static_cast<void>(cudaFree(device)); }
    TwinMemory(const TwinMemory &) = delete;
    TwinMemory &operator=(const TwinMemory &) = delete;
    bool isSame() const
    {
        std::vector<std::byte> fetched(host.size());
        return cudaMemcpy(fetched.data(), device, fetched.size(), cudaMemcpyDeviceToHost) == cudaSuccess
            && fetched == host;
    }
    std::vector<std::byte> host;
    void *device = nullptr;
    bool isThere = false;
};

tensor::Shape shapeFor(tensor::Element element, int channels, int height, int width, int group)
{
    tensor::Shape shape;
    shape.element = element;
    shape.channels = channels;
    shape.height = height;
    shape.width = width;
    shape.group = group;
    shape.pixelStride = static_cast<std::size_t>(group * tensor::elementBytes(element));
    shape.rowStride = static_cast<std::size_t>(width) * shape.pixelStride + 8;
    shape.groupStride = static_cast<std::size_t>(height) * shape.rowStride;
    shape.bytes = static_cast<std::size_t>((channels + group - 1) / group) * shape.groupStride;
    return shape;
}

} // namespace

class TestCudaTensors : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void bytesAreThoseOfTheCpu_data();
    void bytesAreThoseOfTheCpu();
};

void TestCudaTensors::initTestCase()
{
    if (testing::cudaDevices().empty())
        QSKIP("there is no CUDA device");
}

void TestCudaTensors::bytesAreThoseOfTheCpu_data()
{
    QTest::addColumn<int>("element");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("group");
    for (const int element : {0, 1, 2, 3})
        for (const auto &[channels, side, group] : {std::tuple(3, 224, 1), std::tuple(1, 37, 1), std::tuple(4, 300, 4),
                                                    std::tuple(3, 65, 16), std::tuple(1000, 1, 1)})
            QTest::addRow("element %d %dx%dx%d in %d", element, channels, side, side, group)
                << element << channels << side << group;
}

void TestCudaTensors::bytesAreThoseOfTheCpu()
{
    QFETCH(int, element);
    QFETCH(int, channels);
    QFETCH(int, side);
    QFETCH(int, group);
    constexpr int kWide = 213;
    constexpr int kHigh = 119;
    constexpr std::size_t kPitch = kWide * 4 + 12;
    const tensor::Shape shape =
        shapeFor(static_cast<tensor::Element>(element), channels, side, side == 1 ? 1 : side + 3, group);
    TwinMemory frame(testing::randomBytes(1, kPitch * kHigh));
    TwinMemory out(testing::randomBytes(2, kPitch * kHigh));
    TwinMemory packed(testing::randomBytes(3, shape.bytes));
    TwinMemory top(testing::randomBytes(4, sizeof(tensor::Top)));
    QVERIFY(frame.isThere && out.isThere && packed.isThere && top.isThere);
    const auto pixels = [](void *memory) {
        return tensor::Pixels{static_cast<std::uint8_t *>(memory), kPitch, kWide, kHigh};
    };
    const tensor::Packing packing{103.5F, element < 2 ? 1.0F / 58 : 0.5F, true};
    const tensor::Drawing drawing{channels - 1, -1.5F, 2.5F};
    const TensorKernels &cpu = testing::cpuTensorKernels();
    const TensorKernels &cuda = *cudaTensorKernels();
    QVERIFY(cpu.pack(pixels(frame.host.data()), packing, shape, packed.host.data(), {}).ok());
    QVERIFY(cuda.pack(pixels(frame.device), packing, shape, packed.device, {}).ok());
    QVERIFY(packed.isSame());
    auto *const hostTop = reinterpret_cast<tensor::Top *>(top.host.data());
    QVERIFY(
        cpu.draw(pixels(frame.host.data()), pixels(out.host.data()), drawing, shape, packed.host.data(), hostTop, {})
            .ok());
    QVERIFY(cuda.draw(pixels(frame.device), pixels(out.device), drawing, shape, packed.device,
                      static_cast<tensor::Top *>(top.device), {})
                .ok());
    QVERIFY(out.isSame());
    QVERIFY(side > 1 || top.isSame());
}

QTEST_GUILESS_MAIN(TestCudaTensors)
#include "tst_cudatensors.moc"
