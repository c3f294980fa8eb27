// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardlogwriter.h"

#include "core/system/newfile.h"
#include "core/text/jsontext.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kLogSecondNs = 1'000'000'000;

/// "2026-03-01T10:00:00.250Z"
std::string utcText(std::int64_t unixNs)
{
    const auto seconds = static_cast<std::time_t>(unixNs / kLogSecondNs);
    std::tm date{};
    char text[32] = "";
    gmtime_r(&seconds, &date);
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &date);
    char fraction[8] = "";
    std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(unixNs % kLogSecondNs / 1'000'000));
    return std::string(text, size) + fraction;
}

/// Rails may have any name.
std::string logField(const std::string &text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? std::string("\"\"") : c == '\n' || c == '\r' ? std::string(" ") : std::string(1, c);
    return field + '"';
}

} // namespace

Result<BoardLogWriter> BoardLogWriter::create(const std::string &path, const std::vector<BoardItem> &items,
                                              std::int64_t wallClockOffsetNs)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile file, UnfinishedFile::create(path));
    BoardLogWriter writer(path, wallClockOffsetNs);
    writer.m_file.reset(std::fopen(file.partPath().c_str(), "ae"));
    std::string titles = "timestamp";
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].unavailable.empty()) {
            writer.m_columns.push_back(i);
            titles += "," + logField(items[i].name + (items[i].unit.empty() ? "" : " [" + items[i].unit + "]"));
        }
    JETSCOPE_TRY(writer.write(titles));
    JETSCOPE_TRY(file.publish());
    return writer;
}

Status BoardLogWriter::write(const std::string &line)
{
    if (m_file && std::fputs((line + '\n').c_str(), m_file.get()) >= 0 && std::fflush(m_file.get()) == 0)
        return {};
    const int reason = errno;
    m_file.reset();
    const std::string what = m_path + " could not be written: ";
    if (reason == EFBIG)
        return sentence(what + kFileTooLarge);
    if (reason == ENOSPC || reason == EDQUOT)
        return sentence(what + "the disk is full; free some space, or take another disk");
    return sentence(what + "the disk failed (" + std::strerror(reason) + "); take another disk");
}

Status BoardLogWriter::add(const BoardState &state)
{
    std::string line = utcText(state.timeNs + m_wallClockOffsetNs);
    for (const std::size_t column : m_columns) {
        line += ',';
        if (const auto &value = state.values[column].value; value && std::isfinite(*value))
            appendNumber(line, *value);
    }
    JETSCOPE_TRY(write(line));
    ++m_rows;
    return {};
}

} // namespace jetscope
