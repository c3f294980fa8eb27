// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The GPU's output equals the CPU's: compares every filter, format and awkward size with ChainExecutor.
#include "tests/support/gpufixture.h"

#include "core/settings/filters.h"
#include "gpu/cuda/kernels/cudafilters.h"
#include "gpu/device/device.h"
#include "gpu/filters/cpufilters.h"
#include "gpu/filters/filterchain.h"

#include <algorithm>
#include <cstring>
#include <random>

using namespace jetscope;

namespace {

using Bytes = std::vector<std::byte>;

constexpr PixelFormat kFormats[] = {PixelFormat::Rgba8, PixelFormat::Bgr8,  PixelFormat::Nv12,
                                    PixelFormat::Yuyv,  PixelFormat::Grey8, PixelFormat::Rgb8,
                                    PixelFormat::Uyvy,  PixelFormat::Yu12,  PixelFormat::Yu16};
/// Smaller than every radius, below and above a warp's strip (120 and 128 pixels, 8 and 32 rows) and a tile (112 x 16),
/// odd and even.
constexpr std::pair<int, int> kSizes[] = {{1, 1},    {1, 9},     {9, 1},     {2, 3},    {4, 4},    {7, 33},
                                          {64, 2},   {113, 17},  {119, 31},  {120, 32}, {121, 33}, {128, 64},
                                          {129, 65}, {240, 130}, {641, 479}, {112, 16}, {124, 17}, {480, 70}};
constexpr std::byte kUntouched{0xa5};

/// A picture with guard bytes around each row, with any alignment.
struct Rows {
    std::size_t lead = 0;
    std::size_t rowBytes = 0;
    std::size_t pitch = 0;
    int rows = 0;

    std::size_t bytes() const { return lead + pitch * static_cast<std::size_t>(rows) + 64; }
    Bytes picture(const std::byte *memory) const
    {
        Bytes out;
        for (int y = 0; y < rows; ++y) {
            const std::byte *row = memory + lead + pitch * static_cast<std::size_t>(y);
            out.insert(out.end(), row, row + rowBytes);
        }
        return out;
    }
    bool isRestUntouched(const std::byte *memory) const
    {
        for (std::size_t i = 0; i < bytes(); ++i) {
            const bool inside =
                i >= lead && (i - lead) / pitch < static_cast<std::size_t>(rows) && (i - lead) % pitch < rowBytes;
            if (!inside && memory[i] != kUntouched)
                return false;
        }
        return true;
    }
};

struct Alignment {
    std::size_t inputLead = 0;
    std::size_t outputLead = 0;
    std::size_t padding = 0;
};

Rows outputRows(const ImageLayout &layout, const Alignment &alignment)
{
    const auto rowBytes = static_cast<std::size_t>(layout.width) * 4;
    const std::size_t pitch = alignment.padding ? rowBytes + alignment.padding : (rowBytes + 63) / 64 * 64;
    return {alignment.outputLead, rowBytes, pitch, layout.height};
}

Rows resultRows(const ImageLayout &layout, const Alignment &alignment)
{
    const auto rowBytes = static_cast<std::size_t>((layout.width + 1) / 2);
    return {alignment.outputLead, rowBytes, rowBytes + alignment.padding, (layout.height + 1) / 2};
}

Bytes randomBytes(std::size_t count, unsigned seed)
{
    Bytes bytes(count);
    std::mt19937 random(seed);
    for (std::byte &byte : bytes)
        byte = static_cast<std::byte>(random());
    // Random values alone would rarely need clamping.
    for (std::size_t i = 0; i < count / 4; ++i)
        bytes[i] = i / 16 % 2 == 0 ? std::byte{0} : std::byte{255};
    return bytes;
}

QString firstDifference(const char *what, const Bytes &wanted, const Bytes &got, std::size_t rowBytes)
{
    if (wanted == got)
        return {};
    const auto at = static_cast<std::size_t>(std::mismatch(wanted.begin(), wanted.end(), got.begin(), got.end()).first
                                             - wanted.begin());
    return QStringLiteral("%1 differs at byte %2 of row %3: %4 instead of %5")
        .arg(QLatin1String(what))
        .arg(at % rowBytes)
        .arg(at / rowBytes)
        .arg(int(got[at]))
        .arg(int(wanted[at]));
}

void copyRow(const std::uint8_t *const *rows, std::uint8_t *out, int width, std::uint16_t *)
{
    std::memcpy(out, rows[0], static_cast<std::size_t>(width) * 4);
}

cudaError_t copyPicture(const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    return cudaMemcpy2DAsync(output.rgba.base, output.rgba.pitch, input.pixels.base, input.pixels.pitch,
                             static_cast<std::size_t>(input.width) * 4, static_cast<std::size_t>(input.height),
                             cudaMemcpyDeviceToDevice, stream);
}

} // namespace

class TestCudaFilters : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyFilterAndFormat_data();
    void everyFilterAndFormat();
    void theFusedPass_data();
    void theFusedPass();
    void everyYuvColour();
    void randomChains_data();
    void randomChains();
    void memoryAlignedToNothing();
    void aLargeFrame();
    void anAddedFilter();

private:
    QString difference(const ImageLayout &layout, const std::vector<Filter> &filters, unsigned seed,
                       const Alignment &alignment = {});
    std::unique_ptr<Buffer> filled(const Bytes &bytes);

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    ChainExecutor m_executor;
};

void TestCudaFilters::initTestCase()
{
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.id == "cuda:0" && !candidate.usable.available)
            QSKIP(candidate.usable.reason.c_str());
    Result<std::unique_ptr<Device>> device = openDevice("cuda:0", nullptr);
    JETSCOPE_VERIFY(device);
    m_device = std::move(device).value();
    Result<std::unique_ptr<Stream>> stream = m_device->createStream();
    JETSCOPE_VERIFY(stream);
    m_stream = std::move(stream).value();
}

std::unique_ptr<Buffer> TestCudaFilters::filled(const Bytes &bytes)
{
    Result<std::unique_ptr<Buffer>> buffer = m_device->allocate(Allocation::PinnedMapped, bytes.size());
    if (!buffer.ok())
        return nullptr;
    std::memcpy(buffer.value()->host(), bytes.data(), bytes.size());
    return std::move(buffer).value();
}

QString TestCudaFilters::difference(const ImageLayout &layout, const std::vector<Filter> &filters, unsigned seed,
                                    const Alignment &alignment)
{
    const Bytes frame = randomBytes(layout.bytes + alignment.inputLead, seed);
    const Rows outputs = outputRows(layout, alignment);
    const Rows results = resultRows(layout, alignment);

    Bytes wantedOutput(outputs.bytes());
    Bytes wantedResult(results.bytes());
    ChainWork work;
    work.inputLayout = layout;
    work.input = frame.data() + alignment.inputLead;
    work.filters = filters;
    work.output = wantedOutput.data() + outputs.lead;
    work.outputPitch = outputs.pitch;
    work.result = wantedResult.data() + results.lead;
    work.resultPitch = results.pitch;
    // The CPU needs word-aligned pixels; only the picture is compared.
    const ImageLayout rgba = makeImageLayout(PixelFormat::Rgba8, layout.width, layout.height);
    Bytes plain(rgba.bytes);
    work.output = plain.data();
    work.outputPitch = rgba.planes[0].pitch;
    m_executor.run(work);

    const auto input = filled(frame);
    const auto output = filled(Bytes(outputs.bytes(), kUntouched));
    const auto result = filled(Bytes(results.bytes(), kUntouched));
    if (!input || !output || !result)
        return QStringLiteral("allocation failed");
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.input = {input.get(), alignment.inputLead, layout.bytes};
    launch.filters = filters;
    launch.output = {output.get(), outputs.lead, outputs.bytes() - outputs.lead};
    launch.outputPitch = outputs.pitch;
    launch.result = {result.get(), results.lead, results.bytes() - results.lead};
    launch.resultPitch = results.pitch;
    for (const Status &status : {m_device->launch(launch, *m_stream), m_device->synchronize(*m_stream)})
        if (!status.ok())
            return QString::fromStdString(status.error().message());

    const Rows plainRows{0, outputs.rowBytes, work.outputPitch, layout.height};
    if (QString text = firstDifference("output", plainRows.picture(plain.data()), outputs.picture(output->host()),
                                       outputs.rowBytes);
        !text.isEmpty())
        return text;
    if (!outputs.isRestUntouched(output->host()) || !results.isRestUntouched(result->host()))
        return QStringLiteral("bytes outside the picture were written");
    return firstDifference("result", results.picture(wantedResult.data()), results.picture(result->host()),
                           results.rowBytes);
}

void TestCudaFilters::everyFilterAndFormat_data()
{
    QTest::addColumn<int>("filter");
    QTest::addColumn<int>("format");
    for (const Choice<Filter> &filter : choices<Filter>())
        for (const PixelFormat format : kFormats)
            QTest::addRow("%s of %s", std::string(filter.name).c_str(), std::string(pixelFormatName(format)).c_str())
                << int(filter.value) << int(format);
}

void TestCudaFilters::everyFilterAndFormat()
{
    QFETCH(int, filter);
    QFETCH(int, format);
    unsigned seed = 1;
    for (const auto &[width, height] : kSizes) {
        const QString found = difference(makeImageLayout(static_cast<PixelFormat>(format), width, height),
                                         {static_cast<Filter>(filter)}, seed++);
        QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("%1x%2: %3").arg(width).arg(height).arg(found)));
    }
}

void TestCudaFilters::theFusedPass_data()
{
    QTest::addColumn<int>("format");
    for (const PixelFormat format : kFormats)
        QTest::newRow(std::string(pixelFormatName(format)).c_str()) << int(format);
}

void TestCudaFilters::theFusedPass()
{
    QFETCH(int, format);
    unsigned seed = 50;
    for (const auto &[width, height] : kSizes) {
        const QString found = difference(makeImageLayout(static_cast<PixelFormat>(format), width, height),
                                         {Filter::Gaussian5, Filter::Sobel}, seed++);
        QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("%1x%2: %3").arg(width).arg(height).arg(found)));
    }
}

void TestCudaFilters::everyYuvColour()
{
    for (const PixelFormat format : kFormats) {
        for (const YuvColour colour :
             {YuvColour::Bt601Limited, YuvColour::Bt601Full, YuvColour::Bt709Limited, YuvColour::Bt709Full}) {
            const QString found = difference(makeImageLayout(format, 132, 37, colour), {}, 9);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }
}

void TestCudaFilters::randomChains_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 40; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestCudaFilters::randomChains()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed + 1000);
    std::vector<Filter> filters(random() % (seed == 0 ? 1 : 64) + (seed == 1 ? 64 : 0));
    filters.resize(std::min<std::size_t>(filters.size(), 64));
    for (Filter &filter : filters)
        filter = choices<Filter>()[random() % choices<Filter>().size()].value;
    const ImageLayout layout =
        makeImageLayout(kFormats[random() % std::size(kFormats)], static_cast<int>(random() % 300 + 1),
                        static_cast<int>(random() % 200 + 1));
    const QString found = difference(layout, filters, seed);
    QVERIFY2(found.isEmpty(), qPrintable(found));
}

void TestCudaFilters::memoryAlignedToNothing()
{
    for (const PixelFormat format : kFormats) {
        for (const Choice<Filter> &filter : choices<Filter>()) {
            // The CPU needs chroma at even addresses and word-aligned RGBA inputs.
            const std::size_t lead = format == PixelFormat::Rgba8 ? 4 : 2;
            const QString found = difference(makeImageLayout(format, 131, 37), {filter.value}, 7, {lead, 3, 5});
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }
}

void TestCudaFilters::aLargeFrame()
{
    for (const std::vector<Filter> &filters : {std::vector<Filter>{Filter::Gaussian5, Filter::Sobel},
                                               std::vector<Filter>{Filter::Gaussian15, Filter::Sharpen}}) {
        const QString found = difference(makeImageLayout(PixelFormat::Nv12, 3840, 2160), filters, 8);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
}

/// First, last and in between: it is converted for, and the half-size picture is made behind it.
void TestCudaFilters::anAddedFilter()
{
    const Result<Filter> added = addFilter({{}, "copied", "copied", "Copies the picture in a pass of its own."});
    JETSCOPE_VERIFY(added);
    const Status loops = addCpuFilter({added.value(), {{0, copyRow}}});
    JETSCOPE_VERIFY(loops);
    const Status kernel = addCudaFilter(added.value(), copyPicture);
    JETSCOPE_VERIFY(kernel);
    const std::vector<Filter> chains[] = {
        {added.value()},
        {added.value(), Filter::Gaussian5, Filter::Sobel},
        {Filter::Invert, added.value(), Filter::Sharpen},
        {Filter::Gaussian5, Filter::Sobel, added.value()},
    };
    for (const std::vector<Filter> &chain : chains)
        for (const PixelFormat format : kFormats) {
            const QString found = difference(makeImageLayout(format, 131, 37), chain, 11);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
}

QTEST_GUILESS_MAIN(TestCudaFilters)
#include "tst_cudafilters.moc"
