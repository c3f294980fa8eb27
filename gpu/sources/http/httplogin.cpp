// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/httpconnection.h"

#include <algorithm>
#include <glib.h>
#include <string_view>

namespace jetscope {

namespace {

bool startsAs(std::string_view text, std::string_view word)
{
    return text.size() >= word.size() && g_ascii_strncasecmp(text.data(), word.data(), word.size()) == 0;
}

/// The value of name="value" or name=value in a challenge; empty if there is none.
std::string parameter(const std::string &challenge, const std::string &name)
{
    std::size_t at = 0;
    do {
        at = challenge.find(name + "=", at);
        if (at == std::string::npos)
            return {};
        at += name.size() + 1;
    } while (std::string_view(" ,\t").find(challenge[at - name.size() - 2]) == std::string_view::npos);
    const bool quoted = at < challenge.size() && challenge[at] == '"';
    at += quoted ? 1 : 0;
    return challenge.substr(at, challenge.find_first_of(quoted ? "\"" : ", ", at) - at);
}

std::string md5(const std::string &text)
{
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_MD5, text.c_str(), static_cast<gssize>(text.size()));
    std::string out = sum;
    g_free(sum);
    return out;
}

std::string digest(const std::string &challenge, const std::string &name, const std::string &password,
                   const std::string &path)
{
    const std::string algorithm = parameter(challenge, "algorithm");
    if (!algorithm.empty() && g_ascii_strcasecmp(algorithm.c_str(), "MD5") != 0)
        return {};
    const std::string realm = parameter(challenge, "realm");
    const std::string nonce = parameter(challenge, "nonce");
    const std::string opaque = parameter(challenge, "opaque");
    const bool counted = parameter(challenge, "qop").find("auth") != std::string::npos;
    const std::string secret = md5(name + ":" + realm + ":" + password);
    const std::string asked = md5("GET:" + path);
    const std::string own = md5(nonce + name).substr(0, 16);
    std::string text = "Digest username=\"" + name + "\", realm=\"" + realm + "\", nonce=\"" + nonce + "\", uri=\""
        + path + "\", response=\"";
    if (counted)
        text += md5(secret + ":" + nonce + ":00000001:" + own + ":auth:" + asked)
            + "\", qop=auth, nc=00000001, cnonce=\"" + own + "\"";
    else
        text += md5(secret + ":" + nonce + ":" + asked) + "\"";
    if (!opaque.empty())
        text += ", opaque=\"" + opaque + "\"";
    return text;
}

} // namespace

std::string httpAuthorization(const std::vector<std::string> &challenges, const std::string &name,
                              const std::string &password, const std::string &path)
{
    for (const std::string &challenge : challenges)
        if (startsAs(challenge, "Digest "))
            if (std::string answer = digest(challenge, name, password, path); !answer.empty())
                return answer;
    if (std::none_of(challenges.begin(), challenges.end(), [](const auto &each) { return startsAs(each, "Basic"); }))
        return {};
    const std::string both = name + ":" + password;
    char *encoded = g_base64_encode(reinterpret_cast<const guchar *>(both.data()), both.size());
    const std::string text = std::string("Basic ") + encoded;
    g_free(encoded);
    return text;
}

} // namespace jetscope
