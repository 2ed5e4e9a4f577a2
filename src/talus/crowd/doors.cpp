#include "talus/crowd/doors.hpp"

#include "talus/base/error.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

class DoorDriver final : public Driver<2> {
  public:
    DoorDriver(DoorLeaf door, BodyId leaf) : door_(std::move(door)), leaf_(leaf) {}

    void let_go(const BodyTable<2>& bodies, const Clock& clock, std::vector<std::uint8_t>& leaves) override
    {
        if (leaf_ == BodyId::none || !door_.is_open(clock.time())) return;
        leaves[std::size_t(bodies.find(leaf_))] = 1;
        leaf_ = BodyId::none;
    }

    void apply(BodyTable<2>& bodies, ShapeTable<2>& shapes, const Clock& clock) override
    {
        if (leaf_ != BodyId::none || door_.is_open(clock.time()) || is_held_open(bodies, shapes)) return;
        leaf_ = bodies.id(std::size_t(add_leaf(bodies, shapes, door_)));
    }
    bool holds_for_step() const override { return true; }

    std::vector<std::uint64_t> save() const override { return {std::uint64_t(std::int64_t(leaf_) + 1)}; }
    void restore(std::span<const std::uint64_t> words) override
    {
        if (words.size() != 1) throw InputError("the state of a door is that of another version of Talus");
        leaf_ = BodyId(std::int32_t(words[0]) - 1);
    }

  private:
    bool is_held_open(const BodyTable<2>& bodies, const ShapeTable<2>& shapes) const
    {
        Obstacles leaf;
        leaf.add_wall(door_.from, door_.to, door_.radius);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (bodies.is_passive(i)) continue;
            if (leaf.approach(0, bodies.position[i]).distance < bounding_radius(shapes, bodies.shape[i])) return true;
        }
        return false;
    }

    DoorLeaf door_;
    BodyId leaf_;
};

} // namespace

std::vector<DoorLeaf> doors_of(const scene::Value& scene, const MaterialTable& materials)
{
    std::vector<DoorLeaf> doors;
    for (const scene::Value& entry : scene.at("doors").list()) {
        const scene::Value& closes = entry.at("closes");
        doors.push_back({entry.at("name").text(), vector_of<2>(entry.at("from")), vector_of<2>(entry.at("to")),
                         0.5 * entry.at("thickness").number(), entry.at("opens").number(),
                         closes.is_number() ? closes.number() : std::numeric_limits<double>::infinity(),
                         materials.index(entry.at("material").text())});
    }
    return doors;
}

std::int32_t add_leaf(BodyTable<2>& bodies, ShapeTable<2>& shapes, const DoorLeaf& door)
{
    Body<2> body;
    body.position = 0.5 * (door.from + door.to);
    body.shape = shapes.add_segment(0.5 * (door.to - door.from), door.radius);
    body.material = door.material;
    body.imposed = all_imposed<2>;
    return bodies.add(body);
}

std::unique_ptr<Driver<2>> make_door(DoorLeaf door, BodyId leaf)
{
    return std::make_unique<DoorDriver>(std::move(door), leaf);
}

} // namespace talus
