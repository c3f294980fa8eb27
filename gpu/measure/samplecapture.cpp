// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/samplecapture.h"

#include "gpu/pipeline/pipelinerecording.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace jetscope {

namespace {

/// A folder of its own for temporary files, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::error_code ignored;
        m_path = (std::filesystem::temp_directory_path(ignored) / "jetscope-XXXXXX").string();
        if (!mkdtemp(m_path.data()))
            m_path.clear();
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::string &path() const { return m_path; } ///< Empty: it could not be created.

private:
    std::string m_path;
};

/// Keeps what belongs to the newest frames: a timeline needs no more, and a sweep has many samples.
void keepNewestFrames(std::vector<PipelineUpdate> &updates)
{
    constexpr std::size_t kMostFrames = 60;
    std::vector<FrameFigures> frames;
    for (const PipelineUpdate &update : updates)
        frames.insert(frames.end(), update.figures.begin(), update.figures.end());
    if (frames.size() <= kMostFrames)
        return;
    const FrameFigures &first = frames[frames.size() - kMostFrames];
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
        recordValues(*writer, update);
    return writer->stop();
}

} // namespace

Result<std::vector<std::byte>> sampleCapture(const TraceFileHeader &header, std::vector<PipelineUpdate> updates)
{
    keepNewestFrames(updates);
    const TemporaryFolder folder;
    if (folder.path().empty())
        return sentence(
            "no temporary file can be written: free space in the folder that TMPDIR names, or name another");
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
