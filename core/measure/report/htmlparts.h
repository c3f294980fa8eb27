// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

// Parts of a report's page. `html` parameters and results are HTML; `text` parameters are escaped here.

/// From the doctype to the beginning of <main>, with the style sheet. The page refers to nothing outside itself.
std::string pageBegin(std::string_view titleText, std::string_view subtitleText);
/// `programText` is the program that wrote the file.
std::string pageEnd(std::string_view programText);

std::string sectionHtml(std::string_view headingText, const std::string &html);
std::string subsectionHtml(std::string_view headingText, const std::string &html);
std::string paragraphHtml(std::string_view text, std::string_view className = {});
/// A list of label and text.
std::string factsHtml(const std::vector<std::pair<std::string, std::string>> &rows);
/// A table in a frame of its own that scrolls sideways on narrow screens.
std::string scrollingHtml(std::string_view labelText, const std::string &html);
struct HtmlColumn {
    std::string_view text;
    bool isNumber = false;
};
/// Such a table; `rows` are HTML.
std::string tableHtml(std::string_view labelText, const std::vector<HtmlColumn> &columns, const std::string &rows);
/// A picture with its caption; both are HTML.
std::string figureHtml(const std::string &picture, const std::string &caption);
std::string codeHtml(std::string_view text);
/// An element with escaped text; the class may be empty.
std::string elementHtml(std::string_view name, std::string_view text, std::string_view className = {});

/// The style sheet of reports: light and dark, phone and print. Colours are those of the window's themes.
extern const char *const kReportStyle;

/// Classes h0 (best) to h7 (worst) colour the cells of a heat map.
inline constexpr int kHeatLevels = 8;

} // namespace jetscope
