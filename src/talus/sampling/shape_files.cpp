#include "talus/sampling/shape_files.hpp"

namespace talus {

namespace {

class NoShapeFiles final : public ShapeFiles {
  public:
    std::vector<NamedMesh> read(const scene::Value& path, double) const override
    {
        throw InputError({mistake(path, "shapes cannot be read from files here: give vertices instead")});
    }
};

} // namespace

std::vector<ListedBall> ShapeFiles::read_balls(const scene::Value& path, int) const
{
    throw InputError({mistake(path, "balls cannot be read from files here: give bodies instead")});
}

std::string ShapeFiles::read_text(const scene::Value& path) const
{
    throw InputError({mistake(path, "files cannot be read here: give the text itself")});
}

const ShapeFiles& no_shape_files()
{
    static const NoShapeFiles none;
    return none;
}

} // namespace talus
