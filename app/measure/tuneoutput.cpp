// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/tuneoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kTuneWidth = 100;
constexpr std::size_t kTuneLabelWidth = 12;

std::string tuneRow(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kTuneLabelWidth, kTuneWidth);
}

/// "12.0 % shorter period", or how far the measurement is from a verdict.
std::string differenceWords(const Difference &difference)
{
    const double change = difference.ratio.value - 1;
    if (!std::isfinite(change))
        return "not measured";
    const std::string size = fixedText(std::abs(change) * 100, 1) + " % " + (change < 0 ? "shorter" : "longer");
    if (!difference.enough)
        return "about " + size + " in " + counted(difference.units, "turn");
    if (difference.verdict == Comparison::Unchanged)
        return "no difference beyond the noise (" + size + ")";
    return size + " period";
}

std::string changeWords(const Tuner &tuner, std::size_t from, std::size_t to)
{
    const std::string change = describeChange(tuner.cells()[from].config, tuner.cells()[to].config);
    return change.empty() ? "the same choices" : change;
}

std::string outcomeWords(const TunerTry &tried)
{
    const std::string words = tried.failure.empty() ? differenceWords(tried.difference) : "failed: " + tried.failure;
    return words + (tried.dropped ? ", dropped early" : "");
}

std::string stepText(const Tuner &tuner, const TunerStep &step)
{
    std::string text = step.what + ":\n";
    for (const TunerTry &each : step.tries) {
        text += "  " + std::string(each.cell == step.winner ? "* " : "  ")
            + padded(changeWords(tuner, step.champion, each.cell), 46) + outcomeWords(each) + "\n";
    }
    return text;
}

std::string resultText(const Tuner &tuner)
{
    if (tuner.best() == tuner.start())
        return "nothing that was tried is shown to beat the present choices";
    std::string text = changeWords(tuner, tuner.start(), tuner.best());
    if (tuner.improvement())
        text += ": " + differenceWords(*tuner.improvement()) + ", checked by turns";
    return text;
}

QJsonObject differenceJson(const Difference &difference)
{
    return {{"ratio", jsonNumber(difference.ratio.value)},
            {"at_least", jsonNumber(difference.ratio.atLeast)},
            {"at_most", jsonNumber(difference.ratio.atMost)},
            {"verdict", jsonText(verdictName(difference.verdict))}};
}

} // namespace

QJsonObject tuneStepJson(const Tuner &tuner, const TunerStep &step)
{
    QJsonArray tries;
    for (const TunerTry &each : step.tries) {
        QJsonObject tried = differenceJson(each.difference);
        tried["choices"] = settingsJson(tuner.cells()[each.cell].config);
        tried["change"] = jsonText(changeWords(tuner, step.champion, each.cell));
        tried["outcome"] = jsonText(outcomeWords(each));
        tried["won"] = each.cell == step.winner;
        tried["failure"] = jsonTextOrNull(each.failure);
        tried["dropped"] = each.dropped;
        tries.append(tried);
    }
    return {{"what", jsonText(step.what)},
            {"from", settingsJson(tuner.cells()[step.champion].config)},
            {"winner", settingsJson(tuner.cells()[step.winner].config)},
            {"tries", tries}};
}

std::string tuneText(const Tuner &tuner, const std::string &device, const std::string &source)
{
    std::string text = tuneRow("Device", device) + tuneRow("Source", source) + "\n";
    for (const TunerStep &step : tuner.steps())
        text += stepText(tuner, step);
    text += "\n" + tuneRow("Result", resultText(tuner));
    text += tuneRow("Measured",
                    std::to_string(tuner.measuredCells()) + " of " + counted(tuner.cells().size(), "combination")
                        + " in " + fixedText(tuner.elapsedSeconds(), 1) + " s. " + tuner.reason());
    return text;
}

QJsonObject tuneJson(const Tuner &tuner, const std::string &device, const std::string &source)
{
    QJsonArray steps;
    for (const TunerStep &step : tuner.steps())
        steps.append(tuneStepJson(tuner, step));
    return {{"device", jsonText(device)},
            {"source", jsonText(source)},
            {"from", settingsJson(tuner.cells()[tuner.start()].config)},
            {"best", settingsJson(tuner.cells()[tuner.best()].config)},
            {"improvement",
             tuner.improvement() ? QJsonValue(differenceJson(*tuner.improvement())) : QJsonValue(QJsonValue::Null)},
            {"result", jsonText(resultText(tuner))},
            {"steps", steps},
            {"measured", static_cast<qint64>(tuner.measuredCells())},
            {"combinations", static_cast<qint64>(tuner.cells().size())},
            {"seconds", tuner.elapsedSeconds()},
            {"reason", jsonText(tuner.reason())}};
}

} // namespace jetscope
