// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetreader.h"

#include "core/fleet/gziplines.h"
#include "core/text/shorttext.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace jetscope {

namespace {

constexpr int kFleetAttempts = 5;

Status checkFolderOf(const FleetFile &file, const FleetRow &row)
{
    // A value that is empty lies in the folder of the unknown.
    const auto agrees = [](const std::string &inRow, const std::string &inPath) {
        return inRow == inPath || (inRow.empty() && inPath == "unknown");
    };
    if (agrees(row.soc, file.soc) && agrees(row.jetpack, file.jetpack) && agrees(row.date, file.date))
        return {};
    return sentence("a row of " + quotedWords(row.soc + ", " + row.jetpack + ", " + row.date)
                    + " lies in the folder of another chip, JetPack or day");
}

std::uintmax_t sizeOf(const FleetFile &file)
{
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(file.path, unknown);
    return unknown ? 0 : size;
}

} // namespace

Status FleetReader::read(const FleetFile &file, const Take &take)
{
    std::string run;    // Whose rows come now.
    bool again = false; // They were read before.
    bool isFull = false;
    const Status done = readGzipLines(file.path, [&](std::string_view line) -> Status {
        JETSCOPE_TRY_ASSIGN(const FleetRow *const row, m_parser.parse(line));
        JETSCOPE_TRY(checkFolderOf(file, *row));
        if (row->run != run) {
            run = row->run;
            again = !m_runs.insert(run).second;
        }
        if (again) {
            ++m_repeated;
            return {};
        }
        if (m_rows == m_mostRows) {
            isFull = true;
            return sentence("full");
        }
        ++m_rows;
        return take(*row, line);
    });
    if (isFull)
        return sentence("the folder has more than " + std::to_string(m_mostRows)
                        + " rows, which the built-in reader does not take: move the folders of older days away");
    return done;
}

Status FleetReader::readAll(const FleetFolder &folder, const std::function<void()> &restart, const Take &take)
{
    for (int attempt = 1;; ++attempt) {
        JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
        m_unfinished = listing.unfinished;
        bool vanished = false;
        std::uintmax_t all = 0;
        std::uintmax_t before = 0;
        std::error_code unknown;
        for (const FleetFile &file : listing.files)
            all += sizeOf(file);
        for (const FleetFile &file : listing.files) {
            m_fraction = all > 0 ? static_cast<double>(before) / static_cast<double>(all) : 0;
            before += sizeOf(file);
            const Status done = read(file, take);
            vanished = !done.ok() && !std::filesystem::exists(file.path, unknown);
            if (vanished && attempt < kFleetAttempts)
                break;
            JETSCOPE_TRY(done);
        }
        if (!vanished)
            return {};
        restart();
        m_runs.clear();
        m_rows = m_repeated = 0;
    }
}

Status readFleet(const FleetFolder &folder, FleetBoards &boards, std::size_t &unfinished, Progress &progress)
{
    FleetReader reader;
    JETSCOPE_TRY(reader.readAll(
        folder, [&] { boards.clear(); },
        [&](const FleetRow &row, std::string_view) -> Status {
            boards.add(row);
            return progress.advance(reader.fraction()) ? Status() : cancelledError();
        }));
    unfinished = reader.unfinished();
    return {};
}

} // namespace jetscope
