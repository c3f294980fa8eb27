// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/externaldraw.h"

#include "gpu/gl/api.h"
#include "gpu/gl/texture.h"

#include <array>

namespace jetscope {

namespace {

constexpr const char *kVertexShader = R"(#version 300 es
void main()
{
    // One triangle that covers everything.
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

constexpr const char *kFragmentShader = R"(#version 300 es
#extension GL_OES_EGL_image_external_essl3 : require
precision highp float;
uniform highp samplerExternalOES picture;
uniform vec2 size;
out vec4 colour;
void main()
{
    colour = texture(picture, gl_FragCoord.xy / size);
}
)";

/// A shader object that lives until the program is linked.
class Shader {
public:
    Shader(GLenum type, const char *source) : m_id(glCreateShader(type))
    {
        glShaderSource(m_id, 1, &source, nullptr);
        glCompileShader(m_id);
    }
    ~Shader() { glDeleteShader(m_id); }
    Shader(const Shader &) = delete;
    Shader &operator=(const Shader &) = delete;

    unsigned id() const { return m_id; }

    Status status() const
    {
        GLint compiled = 0;
        glGetShaderiv(m_id, GL_COMPILE_STATUS, &compiled);
        if (compiled)
            return {};
        std::array<char, 256> log{};
        glGetShaderInfoLog(m_id, static_cast<GLsizei>(log.size()), nullptr, log.data());
        return Error{"glCompileShader", 0, std::string("this driver cannot sample external textures: ") + log.data()};
    }

private:
    unsigned m_id;
};

} // namespace

ExternalDraw::ExternalDraw(unsigned program) : m_program(program), m_size(glGetUniformLocation(program, "size")) {}

ExternalDraw::~ExternalDraw()
{
    glDeleteProgram(m_program);
}

Result<std::unique_ptr<ExternalDraw>> ExternalDraw::create()
{
    const Shader vertex(GL_VERTEX_SHADER, kVertexShader);
    const Shader fragment(GL_FRAGMENT_SHADER, kFragmentShader);
    JETSCOPE_TRY(vertex.status());
    JETSCOPE_TRY(fragment.status());
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex.id());
    glAttachShader(program, fragment.id());
    glLinkProgram(program);
    std::unique_ptr<ExternalDraw> draw(new ExternalDraw(program));
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        return Error{"glLinkProgram", 0, "this driver cannot sample external textures; take output eglimage"};
    return draw;
}

Status ExternalDraw::draw(unsigned externalTexture, const GlFramebuffer &to) const
{
    to.bind();
    glViewport(0, 0, to.width(), to.height());
    glUseProgram(m_program);
    glUniform2f(m_size, static_cast<float>(to.width()), static_cast<float>(to.height()));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, externalTexture);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    return glStatus("glDrawArrays");
}

} // namespace jetscope
