// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/filterchain.h"

#include "core/settings/filters.h"
#include "gpu/filters/arithmetic.h"
#include "gpu/filters/cpufilters.h"
#include "gpu/filters/rowkernels.h"
#include "gpu/filters/yuvweights.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <vector>

namespace jetscope {

namespace {

using Byte = std::uint8_t;

void copyRow(const Byte *const *rows, Byte *out, int width, std::uint16_t *)
{
    std::memcpy(out, rows[0], static_cast<std::size_t>(width) * 4);
}

/// Rows of a stage that are kept, row y at y modulo the count. They lie in scratch memory, or are the caller's whole
/// image.
struct RowStore {
    Byte *first = nullptr;
    std::size_t pitch = 0;
    int count = 1;

    Byte *row(int y) const { return first + pitch * static_cast<std::size_t>(y % count); }
};

/// Unit of the rows' memory: vectors that straddle two cache lines cost twice.
struct alignas(kRowAlignment) RowBlock {
    Byte bytes[kRowAlignment];
};

/// What makes rows from those of the stage before it. A filter may be several: Sobel computes luma once for each row.
struct Stage {
    RowLoop loop = nullptr; ///< Null for the first stage, which converts the input.
    int radius = 0;
    RowStore rows;
    int made = 0; ///< Rows finished so far.
};

} // namespace

struct ChainExecutor::Scratch {
    explicit Scratch(const RowKernels &rowKernels) : kernels(rowKernels) {}

    void plan(const ChainWork &work);
    void placeRows(const ChainWork &work);
    const Byte *row(std::size_t stage, int y);
    void makeRow(std::size_t stage, int y);
    const Byte *inputRow(std::size_t plane, int y) const;
    bool isReadInPlace() const { return layout->format == PixelFormat::Rgba8; }
    void convertRow(int y, Byte *out) const;
    void makeResult(const ChainWork &work, int y);

    const RowKernels &kernels;
    const ImageLayout *layout = nullptr;
    const Byte *input = nullptr;
    arithmetic::YuvWeights weights{};
    std::vector<Stage> stages;
    std::vector<RowBlock> rowMemory;
    std::vector<std::uint16_t> elements;
};

void ChainExecutor::Scratch::plan(const ChainWork &work)
{
    layout = &work.inputLayout;
    weights = arithmetic::yuvWeights(layout->colour);
    input = reinterpret_cast<const Byte *>(work.input);
    stages.assign(1, Stage{});
    for (const Filter filter : work.filters) {
        const CpuFilter *row = cpuFilter(filter);
        assert(row && "checkCpuFilters() refuses a chain with such a filter");
        for (const RowStep &step : row->steps)
            stages.push_back({step.loop(kernels), step.radius(), {}, 0});
    }
    if (stages.size() == 1 && isReadInPlace() && work.output != nullptr)
        stages.push_back({copyRow, 0, {}, 0});
    placeRows(work);
}

/// Every stage keeps as many rows as the next one looks at; the last writes into the output if there is one.
void ChainExecutor::Scratch::placeRows(const ChainWork &work)
{
    const std::size_t blocksPerRow = (static_cast<std::size_t>(layout->width) * 4 + kRowAlignment - 1) / kRowAlignment;
    const auto rowsOf = [this](std::size_t i) { return i + 1 == stages.size() ? 2 : 2 * stages[i + 1].radius + 1; };
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < stages.size(); ++i)
        blocks += blocksPerRow * static_cast<std::size_t>(rowsOf(i));
    rowMemory.resize(blocks);
    RowBlock *unused = rowMemory.data();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages[i].rows = {unused->bytes, blocksPerRow * kRowAlignment, rowsOf(i)};
        unused += blocksPerRow * static_cast<std::size_t>(rowsOf(i));
    }
    if (work.output != nullptr)
        stages.back().rows = {reinterpret_cast<Byte *>(work.output), work.outputPitch, layout->height};
    elements.resize(rowScratchElements(layout->width));
}

/// Row y of a stage, made with all before it if it is not there yet.
const Byte *ChainExecutor::Scratch::row(std::size_t stage, int y)
{
    if (stage == 0 && isReadInPlace())
        return inputRow(0, y);
    while (stages[stage].made <= y)
        makeRow(stage, stages[stage].made++);
    return stages[stage].rows.row(y);
}

void ChainExecutor::Scratch::makeRow(std::size_t index, int y)
{
    const Stage &stage = stages[index];
    Byte *out = stage.rows.row(y);
    if (!stage.loop)
        return convertRow(y, out);

    const int radius = stage.radius;
    std::array<const Byte *, 2 * kLargestHalo + 1> rows{};
    row(index - 1, std::min(y + radius, layout->height - 1)); // The newest first: it takes the place of the oldest.
    for (int k = 0; k <= 2 * radius; ++k)
        rows[static_cast<std::size_t>(k)] = row(index - 1, arithmetic::reflect101(y - radius + k, layout->height));
    stage.loop(rows.data(), out, layout->width, elements.data());
}

const Byte *ChainExecutor::Scratch::inputRow(std::size_t plane, int y) const
{
    return input + layout->planes[plane].offset + layout->planes[plane].pitch * static_cast<std::size_t>(y);
}

void ChainExecutor::Scratch::convertRow(int y, Byte *out) const
{
    switch (layout->format) {
    case PixelFormat::Rgba8:
        break;
    case PixelFormat::Bgr8:
        return kernels.fromBgr(inputRow(0, y), out, layout->width);
    case PixelFormat::Rgb8:
        return kernels.fromRgb(inputRow(0, y), out, layout->width);
    case PixelFormat::Nv12:
        return kernels.fromNv12(inputRow(0, y), inputRow(1, y / 2), weights, out, layout->width);
    case PixelFormat::Yu12:
        return kernels.fromPlanes(inputRow(0, y), inputRow(1, y / 2), inputRow(2, y / 2), weights, out, layout->width);
    case PixelFormat::Yu16:
        return kernels.fromPlanes(inputRow(0, y), inputRow(1, y), inputRow(2, y), weights, out, layout->width);
    case PixelFormat::Yuyv:
        return kernels.fromYuyv(inputRow(0, y), weights, out, layout->width);
    case PixelFormat::Uyvy:
        return kernels.fromUyvy(inputRow(0, y), weights, out, layout->width);
    case PixelFormat::Grey8:
        return kernels.fromGrey(inputRow(0, y), out, layout->width);
    }
}

/// One row of the half-size result from the two newest rows of the last stage.
void ChainExecutor::Scratch::makeResult(const ChainWork &work, int y)
{
    const std::size_t last = stages.size() - 1;
    auto *grey = reinterpret_cast<Byte *>(work.result) + work.resultPitch * static_cast<std::size_t>(y / 2);
    kernels.halfGrey(row(last, y & ~1), row(last, y), grey, layout->width, elements.data());
}

ChainExecutor::ChainExecutor() : ChainExecutor(*instructionSets().front().kernels) {}
ChainExecutor::ChainExecutor(const RowKernels &kernels) : m_scratch(std::make_unique<Scratch>(kernels)) {}
ChainExecutor::~ChainExecutor() = default;

void ChainExecutor::run(const ChainWork &work)
{
    assert(work.inputLayout.width >= 1 && work.inputLayout.height >= 1);
    m_scratch->plan(work);
    const int height = work.inputLayout.height;
    for (int y = 0; y < height; ++y) {
        m_scratch->row(m_scratch->stages.size() - 1, y);
        if (work.result != nullptr && (y % 2 == 1 || y == height - 1))
            m_scratch->makeResult(work, y);
    }
}

const char *ChainExecutor::instructionSet()
{
    return instructionSets().front().name;
}

} // namespace jetscope
