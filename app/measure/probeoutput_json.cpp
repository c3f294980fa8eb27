// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/probeoutput.h"

#include "app/commandline/jsonvalues.h"
#include "core/measure/probe/probefindings.h"
#include "core/measure/probe/probejson.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace jetscope {

namespace {

QJsonObject estimateJson(const Estimate &us)
{
    return {{"us", us.value}, {"at_least", us.atLeast}, {"at_most", us.atMost}};
}

QJsonObject choiceJson(const PredictedChoice &choice)
{
    QJsonObject json = estimateJson(choice.us);
    json["memory"] = jsonText(nameOf(choice.memory));
    json["ties"] = choice.ties;
    QJsonArray parts;
    for (const PredictedPart &part : choice.parts) {
        QJsonObject object = estimateJson(part.us);
        object["what"] = jsonText(part.what);
        parts.append(object);
    }
    json["parts"] = parts;
    json["reasons"] = jsonTexts(choice.reasons);
    return json;
}

QJsonObject adviceJson(const BoardAdvice &advice, const FrameUse &use)
{
    QJsonArray ranked;
    for (const PredictedChoice &choice : advice.ranked)
        ranked.append(choiceJson(choice));
    QJsonArray left;
    for (const UnpredictedChoice &choice : advice.left)
        left.append(QJsonObject{{"memory", jsonText(nameOf(choice.memory))}, {"reason", jsonText(choice.reason)}});
    return {{"label", jsonTextOrNull(advice.label)},
            {"refusal", jsonTextOrNull(advice.refusal)},
            {"width", use.width},
            {"height", use.height},
            {"cpu_passes", use.cpuPasses},
            {"gpu_passes", use.gpuPasses},
            {"ranked", ranked},
            {"left_out", left}};
}

} // namespace

QJsonObject probeOutputJson(const ProbeTable &table)
{
    QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(probeJson(table))).object();
    QJsonArray findings;
    for (const ProbeFinding &finding : probeFindings(table)) {
        QJsonArray keys;
        for (const std::string &key : finding.keys)
            keys.append(jsonText(key));
        findings.append(QJsonObject{{"text", jsonText(finding.text)}, {"figures", keys}});
    }
    json["findings"] = findings;
    QJsonArray advices;
    for (const AdvisedUse &passes : kAdvisedUses) {
        const FrameUse use{table.width, table.height, passes.cpuPasses, passes.gpuPasses};
        advices.append(adviceJson(adviseMemory(table.device, table, use), use));
    }
    json["advice"] = advices;
    return json;
}

} // namespace jetscope
