// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/mjpegvariants.h"

#include <chrono>
#include <zlib.h>

namespace jetscope::testing {

namespace {

using namespace std::chrono_literals;

constexpr const char *kAddress = "the address leads nowhere";
constexpr const char *kLogin = "the login failed";
constexpr const char *kNetwork = "the network failed";
constexpr const char *kContainer = "the container is not understood";
constexpr const char *kCodec = "the codec cannot be decoded";

const std::string &jpeg()
{
    static const std::string picture = jpegPicture(64, 48, 200);
    return picture;
}

std::string header(const std::string &fields = "Content-Type: multipart/x-mixed-replace; boundary=edge\r\n")
{
    return "HTTP/1.1 200 OK\r\n" + fields + "\r\n";
}

std::string part(const std::string &body, const std::string &fields, const std::string &boundary = "--edge")
{
    return boundary + "\r\n" + fields + "\r\n" + body + "\r\n";
}

std::string length(std::size_t bytes)
{
    return "Content-Length: " + std::to_string(bytes) + "\r\n";
}

std::string goodPart(const std::string &boundary = "--edge")
{
    return part(jpeg(), "Content-Type: image/jpeg\r\n" + length(jpeg().size()), boundary);
}

/// Sends the start, and then the same again and again until the client is gone.
MjpegServer::Behaviour repeating(const std::string &start, const std::string &again)
{
    return [=](MjpegClient &client, int) {
        bool there = client.send(start);
        while (there) {
            there = client.send(again);
            std::this_thread::sleep_for(10ms); // The server's rate.
        }
    };
}

MjpegServer::Behaviour once(const std::string &answer)
{
    return [=](MjpegClient &client, int) { client.send(answer); };
}

std::string withLfOnly(std::string text)
{
    for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;)
        text.erase(at, 1);
    return text;
}

/// In chunks that end anywhere.
std::string chunked(const std::string &text)
{
    constexpr std::size_t kPiece = 97;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += kPiece) {
        const std::string piece = text.substr(at, kPiece);
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
        out += size + piece + "\r\n";
    }
    return out;
}

std::string gzip(const std::string &text)
{
    z_stream zip{};
    constexpr int kAsGzip = 16 + MAX_WBITS;
    if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kAsGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        std::abort();
    std::string out(deflateBound(&zip, static_cast<uLong>(text.size())) + 64, '\0');
    zip.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    zip.avail_in = static_cast<uInt>(text.size());
    zip.next_out = reinterpret_cast<Bytef *>(out.data());
    zip.avail_out = static_cast<uInt>(out.size());
    if (deflate(&zip, Z_FINISH) != Z_STREAM_END)
        std::abort();
    out.resize(zip.total_out);
    deflateEnd(&zip);
    return out;
}

std::string times(const std::string &text, int count)
{
    std::string out;
    for (int i = 0; i < count; ++i)
        out += text;
    return out;
}

/// With a smaller picture in its header, as cameras write it.
std::string withThumbnail()
{
    const std::string small = jpegPicture(16, 16, 90);
    const std::size_t bytes = small.size() + 2;
    const std::string segment =
        std::string("\xff\xe1") + static_cast<char>(bytes >> 8U) + static_cast<char>(bytes & 0xffU) + small;
    return jpeg().substr(0, 2) + segment + jpeg().substr(2);
}

/// Asks for a login as `challenge` says, and lets in whoever answers with a header that contains `wanted`.
MjpegServer::Behaviour asking(const std::string &challenge, const std::string &wanted)
{
    return [=](MjpegClient &client, int number) {
        if (client.request().find(wanted) == std::string::npos)
            client.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: " + challenge
                        + "\r\nContent-Length: 0\r\n\r\n");
        else
            repeating(header(), goodPart())(client, number);
    };
}

MjpegServer::Behaviour redirecting(const std::string &to)
{
    return [=](MjpegClient &client, int number) {
        if (client.request().find("GET /stream") == 0)
            client.send("HTTP/1.1 302 Found\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n");
        else
            repeating(header(), goodPart())(client, number);
    };
}

void addResponses(std::vector<MjpegVariant> &all)
{
    all.push_back({"plain", repeating(header(), goodPart())});
    all.push_back({"no status line",
                   repeating("Content-Type: multipart/x-mixed-replace;boundary=edge\r\n\r\n", "\r\n" + goodPart())});
    all.push_back({"no header at all", repeating({}, goodPart())});
    all.push_back({"a picture in place of a header", repeating({}, jpeg())});
    all.push_back({"no type of the response", repeating(header("Server: x\r\n"), goodPart())});
    all.push_back(
        {"status without a reason",
         repeating("HTTP/1.0 200\r\nContent-type: Multipart/X-Mixed-Replace; Boundary=edge\r\n\r\n", goodPart())});
    all.push_back({"a status of Shoutcast",
                   repeating("ICY 200 OK\r\nContent-Type: image/jpeg;boundary=edge\r\n\r\n", goodPart())});
    all.push_back({"LF only", repeating(withLfOnly(header()), "--edge\nContent-Type: image/jpeg\n\n" + jpeg() + "\n")});
    all.push_back({"chunked",
                   repeating(header("Content-Type: multipart/x-mixed-replace;boundary=edge\r\n"
                                    "Transfer-Encoding: chunked\r\n"),
                             chunked(goodPart()))});
    all.push_back({"chunked by name only",
                   repeating(header("Content-Type: multipart/x-mixed-replace;boundary=edge\r\n"
                                    "Transfer-Encoding: chunked\r\n"),
                             goodPart())});
    all.push_back({"kept alive",
                   repeating(header("Content-Type: multipart/x-mixed-replace;boundary=edge\r\n"
                                    "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n"),
                             goodPart())});
    all.push_back({"packed with gzip",
                   once(header("Content-Type: multipart/x-mixed-replace;boundary=edge\r\n"
                               "Content-Encoding: gzip\r\n")
                        + gzip(times(goodPart(), 40)))});
    all.push_back({"a single picture", once(header("Content-Type: image/jpeg\r\n" + length(jpeg().size())) + jpeg())});
    all.push_back({"pictures one after the other", repeating(header("Content-Type: video/x-motion-jpeg\r\n"), jpeg())});
    all.push_back({"redirected to a path", redirecting("/other")});
    all.push_back({"redirected beside it", redirecting("other?x=1")});
    all.push_back({"Basic login",
                   asking("Basic realm=\"camera\"", "Authorization: Basic bWU6c2UgY3JldA=="),
                   {},
                   "",
                   "me:se%20cret@"});
    all.push_back({"Digest login",
                   asking("Digest realm=\"camera\", nonce=\"abc\", qop=\"auth\"", "Digest username=\"me\""),
                   {},
                   "",
                   "me:secret@"});
}

void addParts(std::vector<MjpegVariant> &all)
{
    const std::string type = "Content-Type: image/jpeg\r\n";
    const auto boundary = [](const std::string &name) {
        return header("Content-Type: multipart/x-mixed-replace; boundary=" + name + "\r\n");
    };
    all.push_back({"a boundary with dashes", repeating(boundary("--edge"), goodPart())});
    all.push_back({"a boundary in quotes", repeating(boundary("\"edge\""), goodPart())});
    all.push_back({"another boundary than announced", repeating(boundary("border"), goodPart())});
    all.push_back({"dashes on both sides", repeating(header(), goodPart("--edge--"))});
    all.push_back(
        {"no boundary announced", repeating(header("Content-Type: multipart/x-mixed-replace\r\n"), goodPart())});
    all.push_back({"the first boundary is missing",
                   repeating("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=edge\r\n" + type
                                 + length(jpeg().size()) + "\r\n",
                             jpeg() + "\r\n--edge\r\n" + type + length(jpeg().size()) + "\r\n")});
    all.push_back({"no length", repeating(header(), part(jpeg(), type))});
    all.push_back({"a length too large", repeating(header(), part(jpeg(), type + length(jpeg().size() + 100)))});
    all.push_back({"a length too small", repeating(header(), part(jpeg(), type + length(jpeg().size() / 2)))});
    all.push_back({"no type of the part", repeating(header(), part(jpeg(), length(jpeg().size())))});
    all.push_back({"no header of the part", repeating(header(), part(jpeg(), {}))});
    all.push_back({"no empty line", repeating(header(), "--edge\r\n" + type + jpeg() + "\r\n")});
    all.push_back({"zeros behind the picture", repeating(header(), part(jpeg() + std::string(500, '\0'), type))});
    all.push_back({"a picture within the picture", repeating(header(), part(withThumbnail(), type))});
    all.push_back(
        {"sound in between",
         repeating(header(), part("12345678", "Content-Type: audio/g711\r\n" + length(8), "--edge--") + goodPart())});
    all.push_back(
        {"text in between",
         repeating(header(), part("{\"motion\":1}", "Content-Type: application/json\r\n" + length(12)) + goodPart())});
    all.push_back({"empty parts", repeating(header(), goodPart() + part({}, type + length(0))), {}, "damaged"});
    all.push_back(
        {"parts that end at once", repeating(header(), goodPart() + "--edge\r\n" + type + "\r\n"), {}, "damaged"});
    all.push_back({"cut pictures",
                   repeating(header(), goodPart() + part(jpeg().substr(0, jpeg().size() - 20), type)),
                   {},
                   "damaged"});
    all.push_back({"pictures cut in their tables",
                   repeating(header(), goodPart() + part(jpeg().substr(0, 100), type)),
                   {},
                   "damaged"});
    all.push_back(
        {"no picture in the part", repeating(header(), goodPart() + part("not a picture", type)), {}, "damaged"});
    all.push_back({"two pictures in one",
                   repeating(header(), goodPart() + part(jpeg().substr(0, jpeg().size() - 20) + jpeg(), type)),
                   {},
                   "torn"});
}

void addFailures(std::vector<MjpegVariant> &all)
{
    const auto status = [](const char *line) {
        return once("HTTP/1.1 " + std::string(line) + "\r\nContent-Length: 0\r\n\r\n");
    };
    all.push_back({"no login", asking("Basic realm=\"camera\"", "Authorization: "), kLogin});
    all.push_back(
        {"a wrong password", asking("Digest realm=\"camera\", nonce=\"abc\"", "nowhere"), kLogin, "", "me:wrong@"});
    all.push_back({"forbidden", status("403 Forbidden"), kLogin});
    all.push_back({"not found", status("404 Not Found"), kAddress});
    all.push_back({"a failing server", status("500 Internal Server Error"), kNetwork});
    all.push_back({"busy", status("503 Service Unavailable"), "close other programs"});
    all.push_back({"a web page", once(header("Content-Type: text/html\r\n") + "<html>no pictures</html>"), kContainer});
    all.push_back({"a film", repeating(header("Content-Type: video/mp4\r\n"), std::string(1000, 'x')), kContainer});
    all.push_back(
        {"a playlist", once(header("Content-Type: application/vnd.apple.mpegurl\r\n") + "#EXTM3U\n"), kContainer});
    all.push_back({"PNG", once(header("Content-Type: image/png\r\n") + "\x89PNG"), kCodec});
    all.push_back({"parts of PNG",
                   once(header() + times(part("\x89PNG", "Content-Type: image/png\r\n" + length(4)), 9)), kCodec});
    all.push_back({"parts of H.264",
                   once(header() + times(part("abcd", "Content-Type: video/x-h264\r\n" + length(4)), 9)),
                   "video/x-h264"});
    all.push_back(
        {"empty parts only", once(header() + times(part({}, "Content-Type: image/jpeg\r\n" + length(0)), 9)), kCodec});
    all.push_back({"no parts", once(header()), kContainer});
    all.push_back({"closes at once", once({}), kContainer});
    all.push_back({"another service", once("SSH-2.0-OpenSSH_9.2\r\n"), kContainer});
    all.push_back({"an endless header",
                   repeating("HTTP/1.1 200 OK\r\n", "X-Padding: " + std::string(60'000, 'x') + "\r\n"), kContainer});
    all.push_back({"what is no gzip", once(header("Content-Encoding: gzip\r\n") + goodPart()), kContainer});
    all.push_back({"redirected without end", redirecting("/stream"), kAddress});
    all.push_back({"redirected elsewhere", redirecting("rtsp://camera/x"), kAddress});
    all.push_back({"silent", [](MjpegClient &client, int) { client.hang(); }, kNetwork});
}

} // namespace

std::vector<MjpegVariant> mjpegVariants()
{
    std::vector<MjpegVariant> all;
    addResponses(all);
    addParts(all);
    addFailures(all);
    return all;
}

} // namespace jetscope::testing
