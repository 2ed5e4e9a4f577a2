#include "talus/events/wall.hpp"

#include <algorithm>

namespace talus {

namespace {

template <int D>
Vec<D> swing(const std::vector<Oscillation<D>>& oscillations, double time)
{
    Vec<D> sum = Vec<D>::Zero();
    for (const Oscillation<D>& one : oscillations) {
        sum += std::sin(one.rate * (time - one.from) + one.phase) * one.amplitude;
    }
    return sum;
}

} // namespace

template <int D>
WallMotion<D>::WallMotion(const std::vector<ImposedTerm<D>>& terms)
{
    std::vector<double> bounds = {0, never};
    for (const ImposedTerm<D>& term : terms) {
        bounds.push_back(std::max(0.0, term.begin));
        bounds.push_back(std::max(0.0, term.end));
    }
    std::ranges::sort(bounds);
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    Vec<D> reached = Vec<D>::Zero(); // at the end of the piece before
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
        Piece piece{bounds[k], bounds[k + 1], reached, Vec<D>::Zero(), {}};
        for (const ImposedTerm<D>& term : terms) {
            if (term.begin > piece.begin || term.end < piece.end) continue;
            piece.velocity += term.velocity;
            for (const Oscillation<D>& one : term.oscillations) {
                piece.oscillations.push_back(one);
                piece.reach += one.amplitude.norm();
                piece.shake += one.rate * one.rate * one.amplitude.norm();
            }
        }
        piece.base -= swing(piece.oscillations, piece.begin); // the wall does not jump
        if (std::isfinite(piece.end)) {
            reached = piece.base + (piece.end - piece.begin) * piece.velocity + swing(piece.oscillations, piece.end);
        }
        pieces_.push_back(std::move(piece));
    }
}

template <int D>
std::size_t WallMotion<D>::piece_at(double time) const
{
    std::size_t found = 0;
    while (found + 1 < pieces_.size() && time >= pieces_[found + 1].begin) ++found;
    return found;
}

template <int D>
Vec<D> WallMotion<D>::displacement(double time) const
{
    const Piece& piece = pieces_[piece_at(time)];
    return piece.base + (time - piece.begin) * piece.velocity + swing(piece.oscillations, time);
}

template <int D>
Vec<D> WallMotion<D>::velocity(double time) const
{
    const Piece& piece = pieces_[piece_at(time)];
    Vec<D> sum = piece.velocity;
    for (const Oscillation<D>& one : piece.oscillations) {
        sum += one.rate * std::cos(one.rate * (time - one.from) + one.phase) * one.amplitude;
    }
    return sum;
}

template class WallMotion<2>;
template class WallMotion<3>;

} // namespace talus
