// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/runfacts.h"

#include "core/board/boardfactrows.h"
#include "core/settings/settingtable.h"
#include "core/system/regularfile.h"
#include "core/text/sha256.h"
#include "core/tracefile/tracefile.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kRunDigits = 16;
constexpr std::size_t kConfigDigits = 12;

/// "2026-11-25T13:05:09Z"; empty if the time is not known.
std::string utcText(std::int64_t unixNs)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (unixNs <= 0)
        return {};
    const auto seconds = static_cast<std::time_t>(unixNs / kSecond);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), size};
}

} // namespace

Result<std::string> sumOfFile(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    Sha256 sum;
    std::vector<std::byte> piece(std::size_t{1} << 18U);
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get()))
        sum.add(std::span(piece).first(got));
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read to its end");
    return sum.hex();
}

std::string hashOf(std::string_view text, std::size_t digits)
{
    Sha256 sum;
    sum.add(std::as_bytes(std::span(text)));
    return sum.hex().substr(0, digits);
}

std::string factOf(const CaptureFacts &facts, const char *name, const char *otherwise)
{
    const auto fact = facts.find(name);
    return fact == facts.end() ? otherwise : fact->second;
}

std::string configText(const CaptureFacts &facts, const std::string &device, const std::string &source,
                       const std::string &frameSize, const PipelineConfig *config)
{
    std::string text = "device=" + factOf(facts, "device_id", device.c_str());
    if (const std::string capability = factOf(facts, "compute_capability"); !capability.empty())
        text += " " + capability;
    text += ";source=" + source + ";frame_size=" + frameSize;
    if (config)
        for (const SettingRow &row : settingTable())
            if (!row.isOfMeasurement)
                text += ";" + row.column() + "=" + row.text(*config);
    return text;
}

Result<RunFacts> RunFacts::read(const std::string &capture, const FleetLabels &labels)
{
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(capture, unknown);
    RunFacts run{{}, labels, unknown ? capture : whole.lexically_normal().string(), {}};
    JETSCOPE_TRY_ASSIGN(run.facts, captureFacts(capture));
    JETSCOPE_TRY_ASSIGN(run.sum, sumOfFile(capture));
    if (labels.board.empty() && factOf(run.facts, kBoardIdFact).empty())
        return sentence(capture + " does not say on which board it was recorded: name it with --board NAME");
    return run;
}

FleetRow RunFacts::row(const std::string &config, std::string_view what) const
{
    FleetRow row;
    row.board = labels.board.empty() ? factOf(facts, kBoardIdFact) : labels.board;
    row.commit = labels.commit;
    row.soc = factOf(facts, kBoardSocFact, "unknown");
    row.jetpack = factOf(facts, kBoardJetpackFact, "unknown");
    row.kernel = factOf(facts, kBoardKernelFact);
    row.bootId = factOf(facts, kBoardBootFact);
    row.date = "unknown";
    row.config = config;
    row.configHash = hashOf(config, kConfigDigits);
    row.powerMode = factOf(facts, "power_mode");
    row.gpuTime = factOf(facts, "gpu_time");
    row.traceCost = factOf(facts, "trace_cost");
    row.capture = capture;
    row.captureSha256 = sum;
    row.run = hashOf(std::string(what) + "\n" + row.board + "\n" + row.commit, kRunDigits);
    return row;
}

void setStart(FleetRow &row, std::int64_t unixNs)
{
    row.start = utcText(unixNs);
    if (!row.start.empty())
        row.date = row.start.substr(0, row.start.find('T'));
}

void setFigure(FleetRow &row, const FigureRow &figure)
{
    row.metric = figure.name;
    row.unit = unitName(figure.unit);
    row.direction = figure.direction == Direction::HigherIsBetter ? kHigherIsBetter : kLowerIsBetter;
    row.scale = figure.scale == Scale::Difference ? kByDifference : kByRatio;
    row.least = figure.leastInUnit;
    row.compared = figure.compared;
}

} // namespace jetscope
