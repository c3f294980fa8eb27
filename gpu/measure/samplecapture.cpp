// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/samplecapture.h"

#include "core/system/temporaryfolder.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace jetscope {

namespace {

/// Keeps what belongs to the newest frames: a timeline needs no more, and a sweep has many samples.
void keepNewestFrames(std::vector<PipelineUpdate> &updates)
{
    constexpr std::size_t kMaxFrames = 60;
    std::vector<FrameFigures> frames;
    for (const PipelineUpdate &update : updates)
        frames.insert(frames.end(), update.figures.begin(), update.figures.end());
    if (frames.size() <= kMaxFrames)
        return;
    const FrameFigures &first = frames[frames.size() - kMaxFrames];
    for (PipelineUpdate &update : updates) {
        std::erase_if(update.figures, [&](const FrameFigures &each) { return each.frame < first.frame; });
        std::erase_if(update.spans, [&](const Span &each) { return each.startNs < first.startNs; });
        std::erase_if(update.path, [&](const PathPiece &each) { return each.frame < first.frame; });
    }
}

Status writeCapture(const std::string &path, const TraceFileHeader &header, const std::vector<PipelineUpdate> &updates)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<TraceFileWriter> writer, TraceFileWriter::create(path, header));
    for (const PipelineUpdate &update : updates)
        writer->take(update);
    return writer->stop();
}

} // namespace

Result<std::vector<std::byte>> sampleCapture(const TraceFileHeader &header, std::vector<PipelineUpdate> updates)
{
    keepNewestFrames(updates);
    JETSCOPE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create());
    const std::string path = folder.path() + "/sample.jscope";
    JETSCOPE_TRY(writeCapture(path, header, updates));
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<std::byte> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
    file.seekg(0);
    if (!file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        return sentence(path + " cannot be read (" + std::strerror(errno) + ")");
    return bytes;
}

} // namespace jetscope
