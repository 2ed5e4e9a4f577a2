#include "talus/probes/gauge.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace talus {

bool Reading::has(std::string_view column) const
{
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

Maybe Reading::operator[](std::string_view column) const
{
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? Maybe{} : values_[std::size_t(found - columns_.begin())];
}

double Reading::at(std::string_view column) const
{
    const Maybe value = (*this)[column];
    if (!value) throw std::out_of_range("no value of " + std::string(column));
    return *value;
}

namespace {

template <int D>
std::vector<const Indicator<D>*> default_indicators(bool of_body)
{
    std::vector<const Indicator<D>*> shown;
    for (const Indicator<D>& indicator : indicators<D>()) {
        if (indicator.is_of_body == of_body && indicator.by_default) shown.push_back(&indicator);
    }
    return shown;
}

} // namespace

template <int D>
Gauge<D> Gauge<D>::sample(std::string name)
{
    Gauge gauge(std::move(name));
    gauge.shown_ = default_indicators<D>(false);
    return gauge;
}

template <int D>
Gauge<D> Gauge<D>::box(std::string name, const Vec<D>& lower, const Vec<D>& upper)
{
    if (!lower.allFinite() || !upper.allFinite() || !(lower.array() < upper.array()).all()) {
        throw InputError("gauge " + name + ": its lower corner must be below its upper corner in every direction");
    }
    return in(std::move(name), Region<D>::box(lower, upper));
}

template <int D>
Gauge<D> Gauge<D>::in(std::string name, const Region<D>& region)
{
    Gauge gauge = sample(std::move(name));
    gauge.region_ = region;
    return gauge;
}

template <int D>
Gauge<D> Gauge<D>::on_body(std::string name, BodyId body, const BodyTable<D>& at_start)
{
    Gauge gauge(std::move(name));
    gauge.is_of_body_ = true;
    gauge.shown_ = default_indicators<D>(true);
    return gauge.carried_by(body, at_start);
}

template <int D>
Gauge<D>& Gauge<D>::carried_by(BodyId body, const BodyTable<D>& at_start)
{
    body_ = body;
    const auto place = std::size_t(at_start.find(body));
    start_ = {at_start.position[place], at_start.orientation[place]};
    return *this;
}

template <int D>
Gauge<D>& Gauge<D>::showing(const std::vector<std::string>& names)
{
    shown_.clear();
    for (const Indicator<D>& indicator : indicators<D>()) {
        if (indicator.is_of_body != is_of_body_) continue;
        if (std::find(names.begin(), names.end(), indicator.name) != names.end()) shown_.push_back(&indicator);
    }
    return *this;
}

template <int D>
Gauge<D>& Gauge<D>::every(std::int64_t steps)
{
    steps_ = steps;
    return *this;
}

template <int D>
std::vector<std::string> Gauge<D>::columns() const
{
    std::vector<std::string> columns;
    for (const Indicator<D>* indicator : shown_) {
        columns.insert(columns.end(), indicator->columns.begin(), indicator->columns.end());
    }
    return columns;
}

template <int D>
bool Gauge<D>::is_lost(const Snapshot<D>& snapshot) const
{
    return body_ != BodyId::none && snapshot.sample.bodies.find(body_) < 0;
}

template <int D>
View<D> Gauge<D>::look(const Snapshot<D>& snapshot) const
{
    const BodyTable<D>& bodies = snapshot.sample.bodies;
    const std::int32_t body = bodies.find(body_);
    if (is_of_body_) return View<D>::of_body(snapshot, body, start_);
    if (!region_) return View<D>::of_sample(snapshot);
    if (body < 0) return View<D>::of_region(snapshot, *region_);
    const Rotation<D> turned = bodies.orientation[std::size_t(body)] * start_.orientation.inverse();
    Region<D> region = *region_;
    region.centre = bodies.position[std::size_t(body)] + turned * Vec<D>(region_->centre - start_.position);
    region.turn = turned * region_->turn;
    return View<D>::of_region(snapshot, region);
}

template <int D>
Reading Gauge<D>::measure(const Snapshot<D>& snapshot) const
{
    if (is_lost(snapshot)) return {columns(), std::vector<Maybe>(columns().size())};
    const View<D> view = look(snapshot);
    std::vector<Maybe> values;
    for (const Indicator<D>* indicator : shown_) {
        const std::vector<Maybe> some = indicator->measure(view);
        values.insert(values.end(), some.begin(), some.end());
    }
    return {columns(), std::move(values)};
}

template <int D>
std::vector<Distribution> Gauge<D>::distributions(const Snapshot<D>& snapshot) const
{
    if (is_lost(snapshot)) return {};
    const View<D> view = look(snapshot);
    std::vector<Distribution> all;
    for (const Indicator<D>& indicator : indicators<D>()) {
        if (indicator.is_of_body != is_of_body_ || !indicator.distributions) continue;
        for (Distribution& one : indicator.distributions(view)) all.push_back(std::move(one));
    }
    return all;
}

template <int D>
std::vector<std::string> Gauge<D>::doubts(const Snapshot<D>& snapshot) const
{
    if (is_lost(snapshot)) return {fmt::format("what gauge {} goes with has left: its values are empty", name_)};
    if (is_of_body_ || !region_) return {};
    const View<D> view = look(snapshot);
    const View<D> whole = View<D>::of_sample(snapshot);
    if (whole.grains().empty()) return {};
    const Bounds<D> own = view.region.bounds(), all = whole.region.bounds();
    if ((own.lower.array() >= all.upper.array()).any() || (own.upper.array() <= all.lower.array()).any()) {
        return {fmt::format("gauge {} lies outside the sample: its values are empty", name_)};
    }
    if (view.grains().empty()) {
        return {fmt::format("gauge {} holds the centre of no grain: its values are empty", name_)};
    }
    const double diameter = view.mean_diameter();
    if (view.region.width() >= diameter) return {};
    return {fmt::format("gauge {} is {:.3g} m wide, less than a grain ({:.3g} m): its means say little", name_,
                        view.region.width(), diameter)};
}

template class Gauge<2>;
template class Gauge<3>;

} // namespace talus
