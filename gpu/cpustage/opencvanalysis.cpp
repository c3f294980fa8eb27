// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/opencvanalysis.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace jetscope {

namespace {

constexpr double kCannyLow = 50;
constexpr double kCannyHigh = 150;

// A noisy picture has a contour for every other pixel. The view can only show a limited number, so the answer is
// limited.
constexpr std::size_t kMaxContours = 256;
constexpr std::size_t kMaxPoints = 16384;

using CvContour = std::vector<cv::Point>;

std::vector<Point> toPoints(const CvContour &contour)
{
    std::vector<Point> points(contour.size());
    std::transform(contour.begin(), contour.end(), points.begin(), [](cv::Point p) {
        return Point{static_cast<std::int16_t>(p.x), static_cast<std::int16_t>(p.y)};
    });
    return points;
}

void findEdges(const cv::Mat &grey, CpuAnswer &answer)
{
    answer.edges.resize(grey.total());
    cv::Mat edges(grey.size(), CV_8U, answer.edges.data());
    cv::Canny(grey, edges, kCannyLow, kCannyHigh);
}

/// Finds the contours with the most points, longest first, up to the limits.
void findContours(const cv::Mat &grey, cv::Mat &scratch, CpuAnswer &answer)
{
    cv::threshold(grey, scratch, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
    std::vector<CvContour> found;
    cv::findContours(scratch, found, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
    const auto kept = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kMaxContours));
    std::partial_sort(found.begin(), kept, found.end(), [](const CvContour &a, const CvContour &b) {
        return a.size() != b.size() ? a.size() > b.size() : std::pair(a[0].y, a[0].x) < std::pair(b[0].y, b[0].x);
    });
    std::size_t points = 0;
    for (auto contour = found.begin(); contour != kept; ++contour) {
        if (points + contour->size() > kMaxPoints)
            continue;
        points += contour->size();
        answer.contours.push_back(toPoints(*contour));
    }
}

/// Does not use cv::calcHist: its bins are floats, which stop counting at 2^24, and a picture may have more pixels.
void countValues(const cv::Mat &grey, CpuAnswer &answer)
{
    for (int y = 0; y < grey.rows; ++y) {
        const std::uint8_t *row = grey.ptr<std::uint8_t>(y);
        for (int x = 0; x < grey.cols; ++x)
            ++answer.histogram[row[x]];
    }
}

class OpenCvAnalysis final : public CpuAnalysis {
public:
    CpuAnswer run(CpuWork work, const std::byte *grey, std::size_t pitch, int width, int height) override
    {
        CpuAnswer answer;
        answer.work = work;
        answer.width = width;
        answer.height = height;
        const cv::Mat picture(height, width, CV_8U, const_cast<std::byte *>(grey), pitch);
        try {
            switch (work) {
            case CpuWork::Canny:
                findEdges(picture, answer);
                break;
            case CpuWork::Contours:
                findContours(picture, m_scratch, answer);
                break;
            case CpuWork::Histogram:
                countValues(picture, answer);
                break;
            }
        } catch (const cv::Exception &) {
            // For a valid picture the only possible failure is lack of memory; this frame then has an empty answer.
            answer.edges.clear();
            answer.contours.clear();
        }
        return answer;
    }

private:
    cv::Mat m_scratch; ///< Reused for each frame.
};

} // namespace

std::unique_ptr<CpuAnalysis> makeOpenCvAnalysis()
{
    // The tool shows what each core does for a frame. A stage that uses a hidden thread pool would make its own lane
    // wrong and take cores from the pipeline. OpenCV has one setting per process.
    cv::setNumThreads(1);
    return std::make_unique<OpenCvAnalysis>();
}

} // namespace jetscope
