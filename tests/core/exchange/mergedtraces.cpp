// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/exchange/mergedtraces.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace jetscope::test {

namespace {

constexpr qsizetype kBlock = 512;

struct TarFile {
    QString name;
    QByteArray content;
    bool isManifest = false;
};

QByteArray textAt(const QByteArray &head, qsizetype at, qsizetype size)
{
    const QByteArray field = head.mid(at, size);
    const qsizetype end = field.indexOf('\0');
    return end < 0 ? field : field.left(end);
}

bool isHidden(const QString &path)
{
    for (const QString &part : path.split('/'))
        if (part.startsWith('.') && part != "." && part != "..")
            return true;
    return false;
}

/// What a file is said by its first bytes without blanks.
bool beginsWith(const QByteArray &content, const char *what)
{
    QByteArray begin = content.left(kBlock);
    begin.erase(
        std::remove_if(begin.begin(), begin.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)); }),
        begin.end());
    return begin.startsWith(what);
}

QString readTar(const QByteArray &tar, std::vector<TarFile> &files)
{
    int emptyBlocks = 0;
    for (qsizetype at = 0; at + kBlock <= tar.size();) {
        const QByteArray head = tar.mid(at, kBlock);
        at += kBlock;
        if (head == QByteArray(kBlock, '\0')) {
            if (++emptyBlocks == 2)
                return {};
            continue;
        }
        emptyBlocks = 0;
        if (head.mid(257, 6) != QByteArray("ustar\0", 6) || head.mid(263, 2) != "00")
            return "a head is not one of ustar";
        bool isNumber = false;
        const qint64 size = textAt(head, 124, 12).trimmed().toLongLong(&isNumber, 8);
        if (!isNumber || (head[156] != '0' && head[156] != '\0') || at + size > tar.size())
            return "a head has a wrong size or type";
        TarFile file{QString::fromUtf8(textAt(head, 0, 100)), tar.mid(at, size), false};
        file.isManifest = beginsWith(file.content, "{\"perfetto_manifest\"");
        if (!file.isManifest && !beginsWith(file.content, "{\""))
            return file.name + " is of no known type";
        if (!isHidden(file.name))
            files.push_back(std::move(file));
        at += size + (kBlock - size % kBlock) % kBlock;
    }
    return "the end of the tar is missing";
}

/// What the manifest says of a file.
struct Entry {
    QString machine;
    QString reference; ///< The file to whose clock it is placed; empty: to none.
    std::int64_t offsetNs = 0;
};

QString readManifest(const QByteArray &text, const std::set<QString> &names, std::map<QString, Entry> &entries)
{
    const QJsonObject manifest = QJsonDocument::fromJson(text).object()["perfetto_manifest"].toObject();
    if (manifest["version"] != QJsonValue(1) || !manifest["files"].isArray())
        return "the manifest has no version 1 or no files";
    for (const auto &value : manifest["files"].toArray()) {
        const QJsonObject file = value.toObject();
        const QJsonObject clocks = file["clocks"].toObject();
        Entry entry;
        entry.machine = file["machine"].toObject()["name"].toString();
        if (entry.machine.isEmpty() || !names.contains(file["path"].toString()))
            return "a file of the manifest is not there, or its machine has no name";
        entry.reference = clocks["sync_to"].toObject()["file"].toString();
        const double offset = clocks["offset_ns"].toDouble();
        if (file.contains("clocks")
            && (!names.contains(entry.reference) || clocks.contains("clock") || offset != std::floor(offset)))
            return "a clock is related to no file, or by a wrong offset";
        entry.offsetNs = clocks["offset_ns"].toVariant().toLongLong();
        entries[file["path"].toString()] = entry;
    }
    return {};
}

/// From the clock of a file to that of another one: relations lead both ways, over at most four.
std::optional<std::int64_t> translation(const std::map<QString, Entry> &entries, const QString &from, const QString &to)
{
    std::map<QString, std::int64_t> reached{{from, 0}};
    for (int step = 0; step < 4; ++step)
        for (const auto &[name, entry] : entries) {
            if (entry.reference.isEmpty())
                continue;
            if (reached.contains(name))
                reached.try_emplace(entry.reference, reached[name] + entry.offsetNs);
            else if (reached.contains(entry.reference))
                reached.try_emplace(name, reached[entry.reference] - entry.offsetNs);
        }
    const auto found = reached.find(to);
    return found == reached.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t nsOf(const QJsonValue &microseconds)
{
    return std::llround(microseconds.toDouble() * 1000);
}

} // namespace

MergedTraces mergeAsPerfetto(const QByteArray &tar)
{
    MergedTraces merged;
    std::vector<TarFile> files;
    merged.trouble = readTar(tar, files);
    std::stable_sort(files.begin(), files.end(), [](const TarFile &a, const TarFile &b) {
        const QByteArray left = a.name.toUtf8();
        const QByteArray right = b.name.toUtf8();
        return a.isManifest != b.isManifest ? a.isManifest : left < right;
    });
    std::set<QString> names;
    for (const TarFile &file : files)
        names.insert(file.name);
    std::map<QString, Entry> entries;
    if (merged.trouble.isEmpty() && (files.size() < 2 || !files[0].isManifest || files[1].isManifest))
        merged.trouble = "there is not one manifest before all traces";
    if (merged.trouble.isEmpty())
        merged.trouble = readManifest(files[0].content, names, entries);
    std::map<std::pair<QString, qint64>, QString> fileOfProcess;
    for (std::size_t i = 1; merged.trouble.isEmpty() && i < files.size(); ++i) {
        const TarFile &file = files[i];
        const auto shift = translation(entries, file.name, files[1].name); // The first one's clock is the time line.
        const QJsonDocument trace = QJsonDocument::fromJson(file.content);
        if (!shift || !trace.isObject() || !file.content.endsWith('}') || !entries.contains(file.name)) {
            merged.trouble = file.name + " has no place, or is not read to its end";
            break;
        }
        for (const auto &value : trace.object()["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            const MergedEvent read{entries[file.name].machine, event["pid"].toVariant().toLongLong(),
                                   event["name"].toString(), nsOf(event["ts"]) + *shift, nsOf(event["dur"])};
            const auto [known, isNew] = fileOfProcess.try_emplace({read.machine, read.process}, file.name);
            merged.sharedProcesses += known->second != file.name ? 1 : 0;
            if (event["ph"].toString() == "M")
                continue;
            merged.dropped += read.startNs < 0 ? 1 : 0;
            if (event["ph"].toString() == "X")
                merged.events.push_back(read);
        }
    }
    return merged;
}

} // namespace jetscope::test
