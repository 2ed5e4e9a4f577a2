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

const ShapeFiles& no_shape_files()
{
    static const NoShapeFiles none;
    return none;
}

} // namespace talus
