// JSON text: objects and lists with two blanks of indent per level. What is not a number is null.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace talus::io {

// In quotes, as JSON wants it.
inline std::string json_quoted(std::string_view words)
{
    std::string text = "\"";
    for (const char c : words) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\t') {
            text += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            text += c;
        }
    }
    return text + '"';
}

class JsonWriter {
  public:
    std::string take()
    {
        text_ += '\n';
        return std::move(text_);
    }

    void open(char bracket)
    {
        text_ += bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket)
    {
        --depth_;
        if (!first_) line();
        text_ += bracket;
        first_ = false;
    }
    void key(std::string_view name)
    {
        item();
        text_ += json_quoted(name);
        text_ += ": ";
    }
    void item()
    {
        if (!first_) text_ += ',';
        line();
        first_ = false;
    }

    void value(double number)
    {
        if (std::isfinite(number)) {
            text_ += fmt::format("{}", number);
        } else {
            text_ += "null"; // JSON knows neither NaN nor infinity
        }
    }
    void value(bool truth) { text_ += truth ? "true" : "false"; }
    void value(std::int64_t number) { text_ += std::to_string(number); }
    void value(const std::optional<double>& number) { value(number ? *number : NAN); }
    void value(std::string_view words) { text_ += json_quoted(words); }

    template <class T>
    void entry(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }
    template <class Fill>
    void object(std::string_view name, Fill&& fill)
    {
        key(name);
        open('{');
        fill();
        close('}');
    }

  private:
    void line() { text_ += '\n' + std::string(2 * std::size_t(depth_), ' '); }
    std::string text_;
    int depth_ = 0;
    bool first_ = true;
};

} // namespace talus::io
