#include "talus/io/scenes/scene_file.hpp"

#include <algorithm>

namespace talus::io {

namespace {

using scene::Value;

bool is_list_of_tables(const Value& value)
{
    return value.is_list() && !value.list().empty() && std::ranges::all_of(value.list(), &Value::is_table);
}

bool is_section(const Value& value) { return value.is_table() || is_list_of_tables(value); }

class Writer {
  public:
    // What has its own header comes after what has not, or it would swallow it.
    void table(const Value& table, const std::string& path)
    {
        for (const auto& [key, value] : table.entries()) {
            if (value.is_null() || is_section(value)) continue;
            text_ += scene::child_path("", key) + " = ";
            in_line(value);
            text_ += "\n";
        }
        for (const auto& [key, value] : table.entries()) {
            const std::string name = scene::child_path(path, key);
            if (value.is_table()) {
                header("[" + name + "]");
                this->table(value, name);
            } else if (is_list_of_tables(value)) {
                for (const Value& entry : value.list()) {
                    header("[[" + name + "]]");
                    this->table(entry, name);
                }
            }
        }
    }

    std::string take() { return std::move(text_); }

  private:
    void header(const std::string& name)
    {
        if (!text_.empty()) text_ += "\n";
        text_ += name + "\n";
    }

    void in_line(const Value& value)
    {
        if (value.is_boolean()) {
            text_ += value.boolean() ? "true" : "false";
        } else if (value.is_integer()) {
            text_ += std::to_string(value.integer());
        } else if (value.is_number()) {
            text_ += scene::number_text(value.number());
        } else if (value.is_text()) {
            text_ += scene::in_quotes(value.text());
        } else if (value.is_list()) {
            text_ += "[";
            for (std::size_t i = 0; i < value.list().size(); ++i) {
                if (i > 0) text_ += ", ";
                in_line(value.list()[i]);
            }
            text_ += "]";
        } else if (value.is_table()) { // within a list that holds other things too
            text_ += "{";
            const char* separator = " ";
            for (const auto& [key, entry] : value.entries()) {
                if (entry.is_null()) continue;
                text_ += separator + scene::child_path("", key) + " = ";
                in_line(entry);
                separator = ", ";
            }
            text_ += " }";
        }
    }

    std::string text_;
};

} // namespace

std::string to_toml(const scene::Value& root)
{
    Writer writer;
    if (root.is_table()) writer.table(root, "");
    return writer.take();
}

} // namespace talus::io
