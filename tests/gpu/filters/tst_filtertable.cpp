// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/filters/arithmetic.h"
#include "gpu/filters/cpufilters.h"
#include "gpu/filters/filterchain.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

using Bytes = std::vector<std::byte>;

/// The brightest of three pixels above each other, channel by channel.
void brightest(const std::uint8_t *const *rows, std::uint8_t *out, int width, std::uint16_t *)
{
    for (int i = 0; i < 4 * width; ++i)
        out[i] = std::max({rows[0][i], rows[1][i], rows[2][i]});
}

FilterRow rowNamed(std::string name, int halo = 0)
{
    return {{}, std::move(name), "A label", "A sentence that explains it.", halo};
}

std::string refusal(FilterRow row)
{
    const Result<Filter> added = addFilter(std::move(row));
    return added.ok() ? std::string() : added.error().text;
}

Bytes filtered(const std::vector<Filter> &chain, const ImageLayout &layout, const Bytes &input,
               const RowKernels &kernels)
{
    Bytes output(static_cast<std::size_t>(layout.width) * 4 * static_cast<std::size_t>(layout.height));
    ChainWork work;
    work.inputLayout = layout;
    work.input = input.data();
    work.filters = chain;
    work.output = output.data();
    work.outputPitch = static_cast<std::size_t>(layout.width) * 4;
    ChainExecutor(kernels).run(work);
    return output;
}

} // namespace

class TestFilterTable : public QObject {
    Q_OBJECT

private slots:
    void everyRowHasTheHalvesThatItPromises();
    void anAddedFilterIsAChoiceLikeAnyOther();
    void anAddedFilterRunsBetweenOthers();
    void badRowsAreRefused();
    void badLoopsAreRefused();
    void whatADeviceLacksIsUnavailableThere();
    void stagesOfFilesAreNamesOnly();
};

void TestFilterTable::everyRowHasTheHalvesThatItPromises()
{
    for (const Choice<Filter> &choice : choices<Filter>()) {
        const FilterRow *row = filterRow(choice.value);
        QVERIFY(row && row->filter == choice.value && row->name == choice.name);
        const CpuFilter *loops = cpuFilter(choice.value);
        QCOMPARE(loops != nullptr, row->onCpu.available);
        int reach = 0;
        for (const RowStep &step : loops->steps)
            reach += step.radius();
        QCOMPARE(reach, row->halo);
    }
    QVERIFY(!filterRow(static_cast<Filter>(200)));
    QCOMPARE(nameOf(static_cast<Filter>(200)), std::string_view("?"));
}

void TestFilterTable::anAddedFilterIsAChoiceLikeAnyOther()
{
    const std::size_t before = choices<Filter>().size();
    const Result<Filter> added = addFilter(rowNamed("max-3", 1));
    QVERIFY(added.ok());
    QCOMPARE(choices<Filter>().size(), before + 1);
    QVERIFY(choiceByName<Filter>("max-3") == added.value());
    QCOMPARE(nameOf(added.value()), std::string_view("max-3"));

    PipelineConfig config;
    QVERIFY(applySetting(config, "filters", "invert+max-3").ok());
    QVERIFY((config.filters == std::vector{Filter::Invert, added.value()}));
    QCOMPARE(filterNames(config.filters), std::string("invert,max-3"));
}

void TestFilterTable::anAddedFilterRunsBetweenOthers()
{
    const std::optional<Filter> max3 = choiceByName<Filter>("max-3");
    QVERIFY(max3.has_value());
    const std::vector<Filter> chain = {Filter::Invert, *max3, Filter::Invert};
    QCOMPARE(checkCpuFilters(chain).error().text, std::string("The filter 'max-3' has no loops for the CPU."));
    QVERIFY(addCpuFilter({*max3, {{1, brightest}}}).ok());
    QVERIFY(checkCpuFilters(chain).ok());

    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 19, 7);
    Bytes input(layout.bytes);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::byte>(i * 89 % 251);
    for (const InstructionSet &set : instructionSets()) {
        const Bytes inverted = filtered({Filter::Invert}, layout, input, *set.kernels);
        const Bytes got = filtered(chain, layout, input, *set.kernels);
        for (int y = 0; y < layout.height; ++y)
            for (int i = 0; i < 4 * layout.width; ++i) {
                std::uint8_t most = 0;
                for (int k = -1; k <= 1; ++k) {
                    const int row = arithmetic::reflect101(y + k, layout.height);
                    most = std::max(
                        most,
                        static_cast<std::uint8_t>(inverted[static_cast<std::size_t>(row * 4 * layout.width + i)]));
                }
                const auto wanted = static_cast<std::uint8_t>(i % 4 == 3 ? most : 255 - most);
                QCOMPARE(static_cast<std::uint8_t>(got[static_cast<std::size_t>(y * 4 * layout.width + i)]), wanted);
            }
    }
}

void TestFilterTable::badRowsAreRefused()
{
    const std::size_t before = choices<Filter>().size();
    QCOMPARE(refusal(rowNamed("sobel")),
             std::string("The filter 'sobel' exists already; give the new one another name."));
    for (const char *name : {"", "none", "Sobel", "a+b", "a,b", "a b"})
        QVERIFY(QString::fromStdString(refusal(rowNamed(name))).startsWith("A filter's name must be"));
    QCOMPARE(refusal(rowNamed("far", kLargestHalo + 1)),
             std::string("The filter 'far' has a halo of 17 pixels; give 0 to 16."));
    QCOMPARE(refusal(rowNamed("near", -1)), std::string("The filter 'near' has a halo of -1 pixels; give 0 to 16."));
    QCOMPARE(refusal({{}, "mute", "Mute", ""}), std::string("The filter 'mute' needs a label and a sentence of help."));
    FilterRow silent = rowNamed("silent");
    silent.onCuda.available = false;
    QCOMPARE(refusal(silent),
             std::string("The filter 'silent' must say why it is not available on the CPU or with CUDA."));
    QCOMPARE(choices<Filter>().size(), before);
}

void TestFilterTable::badLoopsAreRefused()
{
    QCOMPARE(addCpuFilter({Filter::Sobel, {}}).error().text,
             std::string("The filter 'sobel' has its loops for the CPU already."));
    QCOMPARE(addCpuFilter({static_cast<Filter>(200), {}}).error().text,
             std::string("There is no filter number 200; add its row before its loops."));
    const Result<Filter> added = addFilter(rowNamed("tall", 2));
    QVERIFY(added.ok());
    QCOMPARE(addCpuFilter({added.value(), {{1, brightest}}}).error().text,
             std::string("The filter 'tall' has a halo of 2 pixels, but its loops reach 1."));
    QCOMPARE(addCpuFilter({added.value(), {{2, RowLoop()}}}).error().text,
             std::string("The filter 'tall' has a step without a loop or with a negative radius."));
    QVERIFY(addCpuFilter({added.value(), {{1, brightest}, {1, brightest}}}).ok());
}

void TestFilterTable::whatADeviceLacksIsUnavailableThere()
{
    FilterRow row = rowNamed("gpu-only");
    row.onCpu = Capability::no("It needs CUDA's texture units.");
    const Result<Filter> added = addFilter(row);
    QVERIFY(added.ok());
    QCOMPARE(addCpuFilter({added.value(), {}}).error().text,
             std::string("The filter 'gpu-only' is not for the CPU: It needs CUDA's texture units."));

    DeviceFacts software;
    software.software = true;
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    config.filters = {Filter::Invert, added.value(), Filter::Sobel};
    QVERIFY(availability(config, DeviceFacts()).legal());
    QVERIFY(availability(config, software).unavailable());
    QCOMPARE(availability(config, software).reason, std::string("It needs CUDA's texture units."));
    QVERIFY((nearestLegal(config, software).filters == std::vector{Filter::Invert, Filter::Sobel}));
    QVERIFY(availability(static_cast<Filter>(200), config, software).unavailable());
}

void TestFilterTable::stagesOfFilesAreNamesOnly()
{
    const std::span<const Choice<Filter>> before = choices<Filter>();
    addStagesOfFile("gaussian5,stage:/home/me/libmine.so?a=1+cu:blur.cu,none,,nonsense");
    QCOMPARE(choices<Filter>().size(), before.size() + 2);
    QVERIFY(choices<Filter>().data() == before.data()); // Spans from before are still valid.
    PipelineConfig config;
    QVERIFY(applySetting(config, "filters", "gaussian5+stage:/home/me/libmine.so?a=1").ok());
    QCOMPARE(filterNames(config.filters), std::string("gaussian5,stage:/home/me/libmine.so?a=1"));
    const FilterRow *row = filterRow(config.filters.back());
    QVERIFY(row->isStage && !row->onCpu.available && !row->onCuda.available);
    QCOMPARE(row->label, std::string("libmine.so?a=1"));
    QVERIFY(row->onCpu.reason.find("is only named by an opened file") != std::string::npos);
    addStagesOfFile("gaussian5,stage:/home/me/libmine.so?a=1"); // Once.
    QCOMPARE(choices<Filter>().size(), before.size() + 2);
    for (int i = 0; i < 400; ++i) // A hostile file leaves room for others.
        addStagesOfFile("stage:" + std::to_string(i));
    QCOMPARE(choices<Filter>().size(), before.size() + 64);
    QVERIFY(addFilter(rowNamed("still-room")).ok());
}

JETSCOPE_TEST(TestFilterTable)
#include "tst_filtertable.moc"
