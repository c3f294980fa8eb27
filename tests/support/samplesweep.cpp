// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/samplesweep.h"

#include "core/measure/sweep/stretchbytes.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/support/fakepipeline.h"

#include <QTemporaryDir>

#include <algorithm>

namespace jetscope::testing {

namespace {

constexpr std::size_t kTied = 4; ///< Differs from the best cell by less than the noise.

std::vector<std::byte> sampleBytes()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("sample.jscope"));
    NoProgress progress;
    if (!saveTrace(test::sampleTrace(), path.toStdString(), progress).ok())
        qFatal("no sample was written");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no sample was read");
    const QByteArray bytes = file.readAll();
    const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
    return {first, first + bytes.size()};
}

double levelOf(const SweepPlan &plan, std::size_t cell, bool hasTie)
{
    const SweepSize size = plan.cells[cell].size();
    std::size_t place = 0; // In its workload.
    for (std::size_t i = 0; i < cell; ++i)
        place += plan.cells[i].size() == size ? 1 : 0;
    const double factor = size.width == 0 ? 1 : size.width * size.height / 100'000.0;
    return factor * (hasTie && place == kTied ? 2.001 : 2.0 + static_cast<double>(place) / 5);
}

KeptStretch stretchOf(const SweepPlan &plan, std::size_t cell, std::size_t round, std::uint64_t hazards, bool hasTie)
{
    KeptStretch kept;
    kept.stretch = {cell, round};
    kept.startNs = 1'000'000'000;
    kept.tookNs = 500'000'000;
    kept.hazards = hazards;
    const double ms = levelOf(plan, cell, hasTie) * (1 + 0.001 * static_cast<double>((round * 7 + cell * 3) % 5));
    const auto add = [&](Figure metric, double value) {
        for (int i = 0; i < 4; ++i)
            kept.figures.batches[static_cast<std::size_t>(metric)].push_back(value * (1 + 0.001 * i));
    };
    add(Figure::Period, ms);
    add(Figure::FrameP50, ms * 1.5);
    add(Figure::FrameP99, ms * 2);
    add(Figure::CpuUse, 1 / ms);
    for (int i = 0; i < 40; ++i)
        kept.figures.frameMs.push_back(static_cast<float>(ms * 1.5 * (1 + 0.01 * (i % 7))));
    return kept;
}

void check(const Status &status)
{
    if (!status.ok())
        qFatal("%s", status.error().text.c_str());
}

} // namespace

SweepPlan SampleSweep::plan() const
{
    SweepChoices choices;
    choices.base = nearestLegal({}, orinFacts());
    choices.lists["memory"].named = {"pageable", "pinned", "zero-copy", "nvbuf"};
    choices.lists["sync"].named = {"stream", "event", "eglsync"};
    if (variesOutput)
        choices.lists["output"].named = {"eglimage", "copy-back"};
    if (variesWait)
        choices.lists["wait"].named = {"spin", "block"};
    choices.sizes = sizes;
    return planSweep(choices, orinFacts()).value();
}

void SampleSweep::write(const QString &path) const
{
    const SweepPlan cells = plan();
    const TraceOrigin origin{"software iGPU (orin rules)", "synthetic:", "Jetscope", {}, 1'700'000'000'000'000'000};
    Result<SweepFile> file =
        SweepFile::create(path.toStdString(), traceFileHeader(origin, orinFacts(), cells.cells.front().config),
                          {"soft:orin", "software iGPU (orin rules)", "synthetic:", false, 1, "Jetscope"}, cells);
    if (!file.ok())
        qFatal("%s", file.error().text.c_str());
    const std::vector<std::byte> sample = samples ? sampleBytes() : std::vector<std::byte>();
    for (std::size_t cell = 0; samples && cell < cells.cells.size(); ++cell)
        check(file.value().addSample(cell, sample));
    for (const std::size_t cell : failures)
        check(file.value().addFailure(cell, "cudaMallocManaged: out of memory (code 2); take smaller frames"));
    addRounds(path, 0, rounds);
    if (complete)
        check(file.value().setRemark("state", "complete"));
}

void SampleSweep::addRounds(const QString &path, std::size_t from, std::size_t to) const
{
    const SweepPlan cells = plan();
    Result<SweepFile> file = SweepFile::resume(path.toStdString());
    if (!file.ok())
        qFatal("%s", file.error().text.c_str());
    const auto has = [](const std::vector<std::size_t> &list, std::size_t cell) {
        return std::find(list.begin(), list.end(), cell) != list.end();
    };
    for (std::size_t round = from; round < to; ++round)
        for (std::size_t cell = 0; cell < cells.cells.size(); ++cell)
            if (round == 0 || !has(failures, cell))
                check(file.value().add(stretchOf(cells, cell, round, has(hazards, cell) ? 3 : 0, hasTie)));
}

} // namespace jetscope::testing
