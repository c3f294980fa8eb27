// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/text/numbertext.h"
#include "core/text/shellword.h"
#include "core/text/shorttext.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

// Reports contain texts of files that may come from anywhere: names of devices, spans and files, reasons of failures.
// Every such text passes one of these functions.

/// The text on one line: invalid UTF-8, control characters and marks that change the direction of text become U+FFFD,
/// line ends and tabs become blanks. Shortened to 2,000 bytes.
std::string cleanText(std::string_view text);

/// cleanText for HTML, in elements and in attributes with double quotes.
std::string htmlText(std::string_view text);

/// cleanText for a table cell or a paragraph of Markdown, without any markup or HTML of its own.
std::string markdownText(std::string_view text);

/// cleanText for a field of a CSV file. Text that a spreadsheet program would take for a formula begins with "'".
std::string csvText(std::string_view text);

/// At most so many characters; a longer text ends with "…".
std::string shortenedText(std::string_view text, std::size_t characters);

/// "1.32 ms"
std::string msText(double ms, int decimals = 2);

/// The shortest text that gives this number when it is read again; empty if the number is not finite.
std::string exactText(double value);

/// "2026-11-22 22:37 UTC"; empty for 0 and for times outside the years 1970 to 9999.
std::string dateText(std::int64_t unixNs);

} // namespace jetscope
