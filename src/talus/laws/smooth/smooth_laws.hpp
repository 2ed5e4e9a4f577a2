// The law of smooth contact of a scene: one kind per slot, and their numbers for each pair of materials.
#pragma once

#include "talus/laws/smooth/slot_kind.hpp"

#include <span>

namespace talus {

class SmoothLaws {
  public:
    SmoothLaws() = default;
    // `dem`: [dem] of the scene, checked; `stiffness` of springs [N/m], given or advised.
    SmoothLaws(const scene::Value& dem, const MaterialTable& materials, double stiffness);

    const SlotKind& kind(LawSlot slot) const { return *kinds_[int(slot)]; }
    bool has_slip() const { return kind(LawSlot::tangential).has_history; }
    bool has_roll() const { return has_roll_; }
    bool needs_radius() const;
    double range() const { return range_; } // [m] beyond touching

    // Index of the numbers of two materials.
    std::int32_t index(std::int32_t a, std::int32_t b) const { return a * materials_ + b; }
    bool is_uniform() const { return numbers_.size() == 1; }
    // Once, before batches are used: what no law will write, and the numbers where all pairs of materials have the
    // same.
    void prepare(ContactBatch* batches, int count) const;
    // Numbers of the laws of eight contacts into a batch, where they differ.
    void set_numbers(ContactBatch& batch, std::span<const std::int32_t, wide_count> index) const;
    // Forces of `count` batches whose geometry, history and numbers are set.
    void apply(ContactBatch* batches, int count) const;

    // What is wrong, and what the user should know.
    static std::vector<std::string> refusals(const scene::Value& dem, const MaterialTable& materials, double stiffness);
    static std::vector<std::string> doubts(const scene::Value& dem, const MaterialTable& materials, double stiffness);

  private:
    using Numbers = std::array<SlotNumbers, std::size_t(LawSlot::count)>;
    std::array<const SlotKind*, std::size_t(LawSlot::count)> kinds_{};
    std::int32_t materials_ = 0;
    std::vector<Numbers> numbers_; // materials × materials
    bool has_roll_ = false;
    double range_ = 0;
};

} // namespace talus
