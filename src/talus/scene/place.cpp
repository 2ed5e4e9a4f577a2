#include "talus/scene/place.hpp"

namespace talus::scene {

void place(Value& value, const std::string& path, const std::string& file)
{
    value.path = path;
    value.where = {file, 0, 0};
    value.key_line = value.key_column = 0;
    if (value.is_list()) {
        for (std::size_t i = 0; i < value.list().size(); ++i) place(value.list()[i], child_path(path, i), file);
    } else if (value.is_table()) {
        for (auto& [key, entry] : value.entries()) place(entry, child_path(path, key), file);
    }
}

} // namespace talus::scene
