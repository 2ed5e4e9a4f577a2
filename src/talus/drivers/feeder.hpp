// A feeder: grains appear one after another at random free places, whole inside a box, at a given rate, until their
// number is reached. A grain that finds no free place waits for the next step.
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/sampling/grain_source.hpp"

namespace talus {

template <int D>
class Feeder final : public Driver<D> {
  public:
    Feeder(const scene::Value& generator, GrainSource<D> source, std::uint64_t seed);
    void apply(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Clock& clock) override;
    bool holds_for_step() const override { return true; }
    std::vector<std::uint64_t> save() const override;
    void restore(std::span<const std::uint64_t> words) override;

  private:
    bool place(BodyTable<D>& bodies, ShapeTable<D>& shapes);

    GrainSource<D> source_;
    Vec<D> lower_, upper_; // [m]
    double rate_, start_;  // [1/s], [s]
    std::int64_t count_, fed_ = 0;
    Grain next_;
    Random random_;
};

} // namespace talus
