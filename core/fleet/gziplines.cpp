// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/gziplines.h"

#include "core/progress.h"
#include "core/system/newfile.h"
#include "core/system/regularfile.h"

#include <zlib.h>

#include <array>
#include <cstdio>
#include <utility>

namespace jetscope {

namespace {

constexpr int kGzipLinesWindow = 16 + MAX_WBITS; // 16 selects gzip's header and checksum.
constexpr int kPackingLevel = 3;
constexpr std::size_t kPackedAtOnce = std::size_t{1} << 15U;
constexpr std::size_t kUnpackedAtOnce = std::size_t{1} << 18U; ///< Packed lines become about 30 times as long.
constexpr std::size_t kMaxFleetLine = std::size_t{1} << 18U;

struct Inflating {
    z_stream stream{};
    bool ready = inflateInit2(&stream, kGzipLinesWindow) == Z_OK;
    Inflating() = default;
    Inflating(const Inflating &) = delete;
    Inflating &operator=(const Inflating &) = delete;
    ~Inflating()
    {
        if (ready)
            inflateEnd(&stream);
    }
};

/// Cuts text into lines.
class LineCutter {
public:
    LineCutter(const std::string &path, const std::function<Status(std::string_view)> &take)
        : m_path(path), m_take(take)
    {
    }

    Status add(std::string_view text)
    {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            if (end == std::string_view::npos) {
                m_begun += text;
                return m_begun.size() <= kMaxFleetLine ? Status() : Status(wrong("the line is too long"));
            }
            std::string_view line = text.substr(0, end);
            if (!m_begun.empty()) {
                m_begun += line;
                line = m_begun;
            }
            ++m_line;
            if (const Status taken = m_take(line); !taken.ok())
                return wasCancelled(taken.error()) ? taken.error() : wrong(taken.error().text);
            m_begun.clear();
            text.remove_prefix(end + 1);
        }
        return {};
    }
    Status finish() const { return m_begun.empty() ? Status() : sentence(m_path + " ends within a line: " + kRemedy); }
    static constexpr const char *kRemedy = "remove it, and add its captures again";

private:
    Error wrong(const std::string &why) const
    {
        return sentence(m_path + ", line " + std::to_string(m_line) + ": " + why);
    }

    const std::string &m_path;
    const std::function<Status(std::string_view)> &m_take;
    std::string m_begun;
    std::uint64_t m_line = 0;
};

} // namespace

struct GzipFile::Parts {
    explicit Parts(OutputFile opened) : file(std::move(opened)) {}
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;
    ~Parts() { deflateEnd(&stream); }

    void deflateAll(int flush)
    {
        do {
            stream.next_out = reinterpret_cast<Bytef *>(packed.data());
            stream.avail_out = static_cast<uInt>(packed.size());
            answer = deflate(&stream, flush);
            file.write({packed.data(), packed.size() - stream.avail_out});
        } while (stream.avail_out == 0 && answer != Z_STREAM_END);
    }

    OutputFile file;
    z_stream stream{};
    int answer = Z_OK;
    std::array<char, kPackedAtOnce> packed;
};

GzipFile::GzipFile(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
GzipFile::~GzipFile() = default;
GzipFile::GzipFile(GzipFile &&) noexcept = default;

Result<GzipFile> GzipFile::create(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    auto parts = std::make_unique<Parts>(std::move(file));
    if (deflateInit2(&parts->stream, kPackingLevel, Z_DEFLATED, kGzipLinesWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return sentence(path + " cannot be packed: there is too little memory");
    return GzipFile(std::move(parts));
}

void GzipFile::write(std::string_view text)
{
    m_parts->stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data())); // zlib only reads it.
    m_parts->stream.avail_in = static_cast<uInt>(text.size());
    m_parts->deflateAll(Z_NO_FLUSH);
}

Status GzipFile::finish()
{
    m_parts->stream.avail_in = 0;
    m_parts->deflateAll(Z_FINISH);
    return m_parts->file.finish();
}

Status readGzipLines(const std::string &path, const std::function<Status(std::string_view line)> &take)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    Inflating inflating;
    if (!inflating.ready)
        return sentence(path + " cannot be unpacked: there is too little memory");
    LineCutter lines(path, take);
    // Not cleared: of a small file most stays untouched.
    const auto packed = std::make_unique_for_overwrite<char[]>(kPackedAtOnce);
    const auto text = std::make_unique_for_overwrite<char[]>(kUnpackedAtOnce);
    bool betweenMembers = false; // gzip allows files one behind the other.
    std::size_t got = 0;
    while ((got = std::fread(packed.get(), 1, kPackedAtOnce, file.get())) > 0) {
        z_stream &stream = inflating.stream;
        stream.next_in = reinterpret_cast<Bytef *>(packed.get());
        stream.avail_in = static_cast<uInt>(got);
        do {
            if (std::exchange(betweenMembers, false))
                inflateReset(&stream);
            stream.next_out = reinterpret_cast<Bytef *>(text.get());
            stream.avail_out = static_cast<uInt>(kUnpackedAtOnce);
            const int answer = inflate(&stream, Z_NO_FLUSH);
            if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
                return sentence(path + " is damaged: " + LineCutter::kRemedy);
            JETSCOPE_TRY(lines.add({text.get(), kUnpackedAtOnce - stream.avail_out}));
            betweenMembers = answer == Z_STREAM_END;
        } while (stream.avail_in > 0 || (inflating.stream.avail_out == 0 && !betweenMembers));
    }
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read to its end");
    if (!betweenMembers)
        return sentence(path + " is cut short: " + LineCutter::kRemedy);
    return lines.finish();
}

Status checkGzipLines(const std::string &path)
{
    return readGzipLines(path, [](std::string_view) { return Status(); });
}

} // namespace jetscope
