#include "talus/laws/smooth/smooth_laws.hpp"

namespace talus {

namespace {

constexpr int slots = int(LawSlot::count);

const SlotKind& chosen(const scene::Value& dem, LawSlot slot)
{
    return *scene::find_kind(slot_kinds(slot), dem.at(slot_name(slot)).text());
}

template <class Visit>
void for_pairs(const scene::Value& dem, const MaterialTable& materials, double stiffness, Visit&& visit)
{
    const bool hertzian = chosen(dem, LawSlot::normal).is_hertzian;
    for (std::int32_t a = 0; a < std::int32_t(materials.size()); ++a) {
        for (std::int32_t b = 0; b < std::int32_t(materials.size()); ++b) {
            visit(a, b, PairConstants{materials.law(a, b), materials[a], materials[b], dem, stiffness, hertzian});
        }
    }
}

// what dashpots take, whatever their formula
TALUS_WIDE void count_impact(ContactBatch* batches, int count)
{
    for (int k = 0; k < count; ++k) {
        batches[k].lost_impact = batches[k].damping * batches[k].rate * batches[k].time;
    }
}

} // namespace

double PairConstants::effective_young() const
{
    return 1 / ((1 - a.poisson * a.poisson) / a.young + (1 - b.poisson * b.poisson) / b.young);
}

double PairConstants::effective_shear() const
{
    const auto compliance = [](const Material& m) { return (2 - m.poisson) * 2 * (1 + m.poisson) / m.young; };
    return 1 / (compliance(a) + compliance(b));
}

SmoothLaws::SmoothLaws(const scene::Value& dem, const MaterialTable& materials, double stiffness)
    : materials_(std::int32_t(materials.size()))
{
    for (int slot = 0; slot < slots; ++slot) {
        kinds_[slot] = &chosen(dem, LawSlot(slot));
        if (kinds_[slot]->range) range_ = std::max(range_, kinds_[slot]->range(dem));
    }
    has_roll_ = kind(LawSlot::rolling).has_history && materials.has_rolling_friction();
    for_pairs(dem, materials, stiffness, [&](std::int32_t, std::int32_t, const PairConstants& pair) {
        Numbers all{};
        for (int slot = 0; slot < slots; ++slot) {
            if (kinds_[slot]->numbers) all[slot] = kinds_[slot]->numbers(pair);
        }
        numbers_.push_back(all);
    });
    if (std::ranges::all_of(numbers_, [&](const Numbers& n) { return n == numbers_.front(); })) {
        numbers_.resize(1);
        materials_ = 0; // every index is 0
    }
}

bool SmoothLaws::needs_radius() const
{
    return std::ranges::any_of(kinds_, [&](const SlotKind* kind) {
        return kind->needs_radius && (has_roll_ || kind != kinds_[int(LawSlot::rolling)]);
    });
}

void SmoothLaws::prepare(ContactBatch* batches, int count) const
{
    for (int k = 0; k < count; ++k) {
        batches[k] = ContactBatch{};
        for (int slot = 0; slot < slots; ++slot) {
            for (int n = 0; n < slot_numbers; ++n) batches[k].numbers[slot][n] = broadcast(numbers_[0][slot][n]);
        }
    }
}

void SmoothLaws::set_numbers(ContactBatch& batch, std::span<const std::int32_t, wide_count> index) const
{
    for (int slot = 0; slot < slots; ++slot) {
        for (int n = 0; n < slot_numbers; ++n) {
            alignas(64) double lane[wide_count];
            for (int k = 0; k < wide_count; ++k) lane[k] = numbers_[index[k]][slot][n];
            batch.numbers[slot][n] = load(lane);
        }
    }
}

void SmoothLaws::apply(ContactBatch* batches, int count) const
{
    if (!kind(LawSlot::tangential).apply) {
        for (int k = 0; k < count; ++k) batches[k].lost_friction = broadcast(0.0); // rolling adds to it
    }
    for (int slot = 0; slot < slots; ++slot) {
        if (!kinds_[slot]->apply || (LawSlot(slot) == LawSlot::rolling && !has_roll_)) continue;
        kinds_[slot]->apply(batches, count);
    }
    count_impact(batches, count);
}

std::vector<std::string> SmoothLaws::refusals(const scene::Value& dem, const MaterialTable& materials, double stiffness)
{
    std::vector<std::string> all;
    for_pairs(dem, materials, stiffness, [&](std::int32_t a, std::int32_t b, const PairConstants& pair) {
        if (b < a) return;
        for (int slot = 0; slot < slots; ++slot) {
            const SlotKind& kind = chosen(dem, LawSlot(slot));
            const std::string law = "dem." + std::string(slot_name(LawSlot(slot))) + " = \"" + kind.name + "\" ";
            for (const Material* material : {&pair.a, &pair.b}) {
                if (!kind.needs_material || material->young > 0) continue;
                all.push_back(law + "needs materials." + material->name + ".young, and poisson where it is not 0");
            }
            const std::string trouble = kind.refuse ? kind.refuse(pair) : "";
            if (!trouble.empty()) all.push_back(law + trouble);
        }
    });
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<std::string> SmoothLaws::doubts(const scene::Value& dem, const MaterialTable& materials, double stiffness)
{
    std::vector<std::string> all;
    for_pairs(dem, materials, stiffness, [&](std::int32_t a, std::int32_t b, const PairConstants& pair) {
        if (b < a) return;
        for (int slot = 0; slot < slots; ++slot) {
            const SlotKind& kind = chosen(dem, LawSlot(slot));
            std::string doubt = kind.doubt ? kind.doubt(pair) : "";
            if (!doubt.empty()) all.push_back(std::move(doubt));
        }
    });
    return all;
}

} // namespace talus
