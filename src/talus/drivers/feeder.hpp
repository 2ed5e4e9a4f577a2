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

    const std::string& name() const { return name_; }                     // of the generator; empty: it has none
    const std::vector<std::int32_t>& numbers() const { return numbers_; } // of those it fed, in their order

  private:
    bool place(BodyTable<D>& bodies, ShapeTable<D>& shapes);

    std::string name_;
    GrainSource<D> source_;
    Vec<D> lower_, upper_; // [m]
    double rate_, start_;  // [1/s], [s]
    std::int64_t count_, fed_ = 0;
    Grain next_;
    Random random_;
    std::vector<std::int32_t> numbers_;
};

} // namespace talus
