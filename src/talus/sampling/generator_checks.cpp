// Which keys of a generator go together: complete_generators of generator_schema.hpp.
#include "talus/sampling/generator_schema.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

using namespace scene;

namespace {

class GeneratorKeys {
  public:
    GeneratorKeys(Value& generator, int dimension, std::vector<Mistake>& mistakes)
        : generator_(generator), dimension_(dimension), mistakes_(mistakes)
    {
    }

    void complete()
    {
        const Value* shape = generator_.find("shape");
        if (!shape || !shape->is_text()) return; // a container, or reported already
        if (shape->is_text("disk") || shape->is_text("sphere")) {
            complete_balls(shape->text());
        } else if (generator_.find("library")) {
            check_library();
        } else {
            complete_random_grains();
        }
    }

  private:
    void complete_balls(const std::string& shape)
    {
        for (const char* key :
             {"library", "size", "sieve", "vertices", "elongation", "flatness", "angularity", "variety"}) {
            refuse(key, "is a key of polygons and polyhedra, not of a " + shape);
        }
        if (!generator_.find("radius"))
            missing("radius", "give the radius of every grain, or the smallest and the largest");
        fill("distribution", Value("uniform"));
    }

    void check_library()
    {
        refuse("radius", "is a key of disks and spheres; grains of a library have their own size");
        for (const char* key :
             {"size", "sieve", "distribution", "vertices", "elongation", "flatness", "angularity", "variety"}) {
            refuse(key, "describes grains drawn at random; those of a library are taken as they are");
        }
        if (const Value* library = generator_.find("library"); library->is_text("")) {
            mistakes_.push_back(mistake(*library, "names no file"));
        }
    }

    void complete_random_grains()
    {
        refuse("radius", "is a key of disks and spheres; give the sieve size of the grains: size or sieve");
        const Value* size = generator_.find("size");
        const Value* sieve = generator_.find("sieve");
        if (size && sieve) {
            mistakes_.push_back(mistake_of_key(*sieve, "give either size or sieve, not both"));
        } else if (!size && !sieve && !generator_.find("radius")) {
            missing("size", "give the sieve size of the grains, a sieve curve, or a library");
        }
        if (sieve) refuse("distribution", "the sieve curve is the distribution");
        if (!sieve) fill("distribution", Value("uniform"));
        const bool flat = dimension_ == 2;
        if (flat) refuse("flatness", "exists only in 3D, this scene is in 2D; give elongation");
        if (const Value* vertices = generator_.find("vertices")) check_vertices(*vertices);
        fill("vertices", flat ? Value::numbers({5, 10}) : Value::numbers({10, 16}));
        fill("elongation", Value::numbers({0.6, 1}));
        if (!flat) fill("flatness", Value::numbers({0.6, 1}));
        fill("angularity", Value(0.5));
        fill("variety", Value("auto"));
    }

    void check_vertices(const Value& vertices)
    {
        const auto check = [&](const Value& number) {
            if (!number.is_number()) return;
            if (number.number() != std::floor(number.number())) {
                mistakes_.push_back(mistake(number, "must be a whole number"));
            } else if (dimension_ == 3 && number.number() == 3) {
                mistakes_.push_back(mistake(number, "a polyhedron has at least 4 vertices"));
            }
        };
        if (!vertices.is_list()) return check(vertices);
        for (const Value& number : vertices.list()) check(number);
    }

    void refuse(const char* key, const std::string& reason)
    {
        if (const Value* value = generator_.find(key)) mistakes_.push_back(mistake_of_key(*value, reason));
    }

    void missing(const char* key, const std::string& advice)
    {
        mistakes_.push_back(mistake_of_missing(generator_, key, "missing; " + advice));
    }

    // In the place that the schema gives it: a scene written out and read again stays the same.
    void fill(const std::string& key, Value value)
    {
        if (generator_.find(key)) return;
        value.where = {generator_.where.file, 0, 0};
        value.path = child_path(generator_.path, key);
        static const std::vector<std::string> order = {"distribution", "vertices", "elongation", "flatness",
                                                       "angularity",   "variety",  "velocity"};
        auto& entries = generator_.entries();
        auto place = entries.end();
        for (auto next = std::ranges::find(order, key); next != order.end() && place == entries.end(); ++next) {
            place = std::ranges::find(entries, *next, &Value::Entry::first);
        }
        entries.insert(place, {key, std::move(value)});
    }

    Value& generator_;
    int dimension_;
    std::vector<Mistake>& mistakes_;
};

} // namespace

std::vector<Mistake> complete_generators(Value& root)
{
    std::vector<Mistake> mistakes;
    Value* generators = root.find("generators");
    if (!generators || !generators->is_list()) return mistakes;
    for (Value& generator : generators->list()) {
        if (generator.is_table()) GeneratorKeys(generator, dimension_of(root), mistakes).complete();
    }
    return mistakes;
}

} // namespace talus
