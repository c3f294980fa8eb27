// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/arithmetic.h"
#include "gpu/filters/filterchain.h"
#include "gpu/filters/rowkernels.h"
#include "tests/gpu/referencefilters.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

using Bytes = std::vector<std::byte>;

constexpr PixelFormat kFormats[] = {PixelFormat::Rgba8, PixelFormat::Bgr8,  PixelFormat::Nv12,
                                    PixelFormat::Yuyv,  PixelFormat::Grey8, PixelFormat::Rgb8,
                                    PixelFormat::Uyvy,  PixelFormat::Yu12,  PixelFormat::Yu16};
/// Smaller than every kernel and every vector, and not a multiple of any.
constexpr QSize kSizes[] = {{1, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {5, 5}, {8, 8}, {17, 9}, {641, 479}};
constexpr std::byte kUntouched{0xa5};

Filter randomFilter(std::mt19937 &random)
{
    return choices<Filter>()[random() % choices<Filter>().size()].value;
}

struct Frame {
    ImageLayout layout;
    Bytes bytes;
};

Frame randomFrame(PixelFormat format, QSize size, unsigned seed)
{
    Frame frame{makeImageLayout(format, size.width(), size.height()), {}};
    std::mt19937 random(seed);
    frame.bytes.resize(frame.layout.bytes);
    for (std::byte &byte : frame.bytes)
        byte = static_cast<std::byte>(random());
    // Random values alone would rarely test gradients and clamping: a quarter of the frame is black or white.
    for (std::size_t i = 0; i < frame.bytes.size() / 4; ++i)
        frame.bytes[i] = i / 16 % 2 == 0 ? std::byte{0} : std::byte{255};
    return frame;
}

/// An image in memory with guard bytes after each row, before the first and after the last.
class GuardedRows {
public:
    GuardedRows(std::size_t rowBytes, int rows, std::size_t padding, std::size_t lead = 0)
        : m_rowBytes(rowBytes),
          m_pitch(rowBytes + padding),
          m_lead(lead),
          m_rows(static_cast<std::size_t>(rows)),
          m_bytes(lead + m_pitch * m_rows, kUntouched)
    {
    }

    std::byte *data() { return m_bytes.data() + m_lead; }
    std::size_t pitch() const { return m_pitch; }

    Bytes picture() const
    {
        Bytes out;
        for (std::size_t y = 0; y < m_rows; ++y) {
            const auto row = m_bytes.begin() + static_cast<std::ptrdiff_t>(m_lead + y * m_pitch);
            out.insert(out.end(), row, row + static_cast<std::ptrdiff_t>(m_rowBytes));
        }
        return out;
    }

    bool isPaddingUntouched() const
    {
        for (std::size_t i = 0; i < m_bytes.size(); ++i)
            if ((i < m_lead || (i - m_lead) % m_pitch >= m_rowBytes) && m_bytes[i] != kUntouched)
                return false;
        return true;
    }

private:
    std::size_t m_rowBytes;
    std::size_t m_pitch;
    std::size_t m_lead;
    std::size_t m_rows;
    Bytes m_bytes;
};

GuardedRows outputFor(const ImageLayout &layout, std::size_t padding = 0, std::size_t lead = 0)
{
    return {static_cast<std::size_t>(layout.width) * 4, layout.height, padding, lead};
}

GuardedRows resultFor(const ImageLayout &layout, std::size_t padding = 0, std::size_t lead = 0)
{
    return {static_cast<std::size_t>(layout.width + 1) / 2, (layout.height + 1) / 2, padding, lead};
}

void run(ChainExecutor &executor, const Frame &frame, std::span<const Filter> filters, GuardedRows *output,
         GuardedRows *result)
{
    ChainWork work;
    work.inputLayout = frame.layout;
    work.input = frame.bytes.data();
    work.filters = filters;
    if (output != nullptr) {
        work.output = output->data();
        work.outputPitch = output->pitch();
    }
    if (result != nullptr) {
        work.result = result->data();
        work.resultPitch = result->pitch();
    }
    executor.run(work);
}

/// Runs the chain with every instruction set of this CPU; returns the first difference from the reference, or "".
QString differenceFromReference(const Frame &frame, std::span<const Filter> filters)
{
    const reference::Image expected =
        reference::applyAll(filters, reference::convert(frame.layout, frame.bytes.data()));
    for (const InstructionSet &set : instructionSets()) {
        ChainExecutor executor(*set.kernels);
        GuardedRows output = outputFor(frame.layout);
        GuardedRows result = resultFor(frame.layout);
        run(executor, frame, filters, &output, &result);
        const Bytes wanted = reference::bytesOf(expected);
        const Bytes got = output.picture();
        const auto at = std::mismatch(wanted.begin(), wanted.end(), got.begin(), got.end()).first - wanted.begin();
        if (wanted != got)
            return QStringLiteral("%1: output differs at x %2, y %3, channel %4")
                .arg(QLatin1String(set.name))
                .arg(at / 4 % frame.layout.width)
                .arg(at / 4 / frame.layout.width)
                .arg(at % 4);
        if (result.picture() != reference::halfGrey(expected))
            return QStringLiteral("%1: half-size result differs").arg(QLatin1String(set.name));
    }
    return {};
}

} // namespace

class TestFilters : public QObject {
    Q_OBJECT

private slots:
    void bordersMirrorAnySize();
    void weightsFollowFromTheSigmaRule();
    void bestInstructionSetIsNamed();
    void convertsEveryFormat_data();
    void convertsEveryFormat();
    void convertsEveryYuvColour();
    void appliesEveryFilter_data();
    void appliesEveryFilter();
    void runsRandomChains_data();
    void runsRandomChains();
    void givesTheSameWithoutOutputOrResult();
    void leavesPaddingAlone_data();
    void leavesPaddingAlone();
    void oneExecutorServesChangingWork();
};

void TestFilters::bordersMirrorAnySize()
{
    for (int size = 1; size <= 20; ++size)
        for (int i = -50; i <= 50; ++i)
            QCOMPARE(arithmetic::reflect101(i, size), reference::Image::mirror(i, size));
}

void TestFilters::weightsFollowFromTheSigmaRule()
{
    const std::vector<int> weights = reference::gaussianWeights(15);
    int sum = 0;
    for (int k = -arithmetic::kGaussian15Radius; k <= arithmetic::kGaussian15Radius; ++k) {
        QCOMPARE(arithmetic::gaussian15Weight(std::abs(k)), weights[static_cast<std::size_t>(k + 7)]);
        sum += arithmetic::gaussian15Weight(std::abs(k));
    }
    QCOMPARE(sum, 256);
    QCOMPARE(arithmetic::kLumaRed + arithmetic::kLumaGreen + arithmetic::kLumaBlue, 1 << arithmetic::kLumaShift);
}

void TestFilters::bestInstructionSetIsNamed()
{
    QVERIFY(!instructionSets().empty());
    QCOMPARE(QLatin1String(ChainExecutor::instructionSet()), QLatin1String(instructionSets().front().name));
}

void TestFilters::convertsEveryFormat_data()
{
    QTest::addColumn<PixelFormat>("format");
    QTest::addColumn<QSize>("size");
    for (const PixelFormat format : kFormats)
        for (const QSize size : kSizes)
            QTest::addRow("%s %dx%d", pixelFormatName(format).data(), size.width(), size.height()) << format << size;
}

void TestFilters::convertsEveryFormat()
{
    QFETCH(PixelFormat, format);
    QFETCH(QSize, size);
    QCOMPARE(differenceFromReference(randomFrame(format, size, 1), {}), QString());
}

void TestFilters::convertsEveryYuvColour()
{
    for (const PixelFormat format : kFormats) {
        if (!isYuv(format))
            continue;
        for (const YuvColour colour :
             {YuvColour::Bt601Limited, YuvColour::Bt601Full, YuvColour::Bt709Limited, YuvColour::Bt709Full}) {
            Frame frame = randomFrame(format, {37, 11}, 8);
            frame.layout = makeImageLayout(format, 37, 11, colour);
            QCOMPARE(differenceFromReference(frame, {}), QString());
        }
    }
}

void TestFilters::appliesEveryFilter_data()
{
    QTest::addColumn<Filter>("filter");
    QTest::addColumn<QSize>("size");
    for (const Choice<Filter> &filter : choices<Filter>())
        for (const QSize size : kSizes)
            QTest::addRow("%s %dx%d", std::string(filter.name).c_str(), size.width(), size.height())
                << filter.value << size;
}

void TestFilters::appliesEveryFilter()
{
    QFETCH(Filter, filter);
    QFETCH(QSize, size);
    const Filter chain[] = {filter};
    QCOMPARE(differenceFromReference(randomFrame(PixelFormat::Rgba8, size, 2), chain), QString());
    QCOMPARE(differenceFromReference(randomFrame(PixelFormat::Nv12, size, 3), chain), QString());
}

void TestFilters::runsRandomChains_data()
{
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("length");
    unsigned seed = 100;
    for (const int length : {2, 2, 2, 3, 3, 5, 8, 13, 21, 34, 50, 64}) {
        QTest::addRow("%d filters, seed %u", length, seed) << seed << length;
        ++seed;
    }
}

void TestFilters::runsRandomChains()
{
    QFETCH(unsigned, seed);
    QFETCH(int, length);
    std::mt19937 random(seed);
    std::vector<Filter> chain;
    for (int i = 0; i < length; ++i)
        chain.push_back(randomFilter(random));
    const QSize size(static_cast<int>(random() % 90 + 1), static_cast<int>(random() % 60 + 1));
    const PixelFormat format = kFormats[random() % std::size(kFormats)];
    QCOMPARE(differenceFromReference(randomFrame(format, size, seed), chain), QString());
}

void TestFilters::givesTheSameWithoutOutputOrResult()
{
    const std::vector<std::vector<Filter>> chains = {
        {}, {Filter::Invert}, {Filter::Gaussian15, Filter::Sharpen}, {Filter::Gaussian5, Filter::Sobel}};
    for (const PixelFormat format : kFormats) {
        for (const std::vector<Filter> &chain : chains) {
            const Frame frame = randomFrame(format, {33, 21}, 4);
            ChainExecutor executor;
            GuardedRows output = outputFor(frame.layout);
            GuardedRows result = resultFor(frame.layout);
            run(executor, frame, chain, &output, &result);
            GuardedRows onlyOutput = outputFor(frame.layout);
            run(executor, frame, chain, &onlyOutput, nullptr);
            GuardedRows onlyResult = resultFor(frame.layout);
            run(executor, frame, chain, nullptr, &onlyResult);
            QCOMPARE(onlyOutput.picture(), output.picture());
            QCOMPARE(onlyResult.picture(), result.picture());
        }
    }
}

void TestFilters::leavesPaddingAlone_data()
{
    appliesEveryFilter_data();
}

void TestFilters::leavesPaddingAlone()
{
    QFETCH(Filter, filter);
    QFETCH(QSize, size);
    const Filter chain[] = {filter};
    const Frame frame = randomFrame(PixelFormat::Bgr8, size, 5);
    for (const InstructionSet &set : instructionSets()) {
        ChainExecutor executor(*set.kernels);
        GuardedRows tight = outputFor(frame.layout);
        GuardedRows tightResult = resultFor(frame.layout);
        run(executor, frame, chain, &tight, &tightResult);
        // An address that is not aligned for any vector.
        GuardedRows padded = outputFor(frame.layout, 36, 4);
        GuardedRows paddedResult = resultFor(frame.layout, 13, 3);
        run(executor, frame, chain, &padded, &paddedResult);
        QVERIFY(padded.isPaddingUntouched());
        QVERIFY(paddedResult.isPaddingUntouched());
        QCOMPARE(padded.picture(), tight.picture());
        QCOMPARE(paddedResult.picture(), tightResult.picture());
    }
}

void TestFilters::oneExecutorServesChangingWork()
{
    ChainExecutor kept;
    std::mt19937 random(6);
    for (unsigned i = 0; i < 60; ++i) {
        const Frame frame = randomFrame(kFormats[random() % std::size(kFormats)], kSizes[random() % 8], i);
        const Filter chain[] = {randomFilter(random), randomFilter(random)};
        GuardedRows output = outputFor(frame.layout);
        run(kept, frame, chain, &output, nullptr);
        const reference::Image expected =
            reference::applyAll(chain, reference::convert(frame.layout, frame.bytes.data()));
        QCOMPARE(output.picture(), reference::bytesOf(expected));
    }
}

JETSCOPE_TEST(TestFilters)
#include "tst_filters.moc"
