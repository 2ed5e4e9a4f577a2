#include "talus/report/drawing/sketch.hpp"

#include "talus/report/chains.hpp"
#include "talus/report/drawing/sketcher.hpp"
#include "talus/report/slice.hpp"

#include <algorithm>

namespace talus::report {

template <int D>
Sketch sketch_of(const io::Frame<D>& frame, const Subject& subject)
{
    const Colouring colouring = colouring_of(frame, subject.colour, subject.bands, subject.range);
    if (subject.slice) return sketch_of_slice(frame, colouring, *subject.slice, subject.window);
    const Projection<D> projection = projection_of<D>(subject.view);
    Sketch sketch = laid_out(frame, projection, colouring, {}, subject.window);
    sketch.chains = chains_of(frame, projection);
    return sketch;
}

template <int D>
void reach(Subject& sequence, const io::Frame<D>& frame)
{
    Subject alone = sequence;
    alone.window.reset();
    alone.range.reset();
    const Sketch sketch = sketch_of(frame, alone);
    const ValueRange& shown = sketch.legend.range;
    if (!sequence.window) sequence.window = sketch.window;
    if (!sequence.range) sequence.range = shown;
    sequence.window->lower = sequence.window->lower.cwiseMin(sketch.window.lower);
    sequence.window->upper = sequence.window->upper.cwiseMax(sketch.window.upper);
    sequence.range = ValueRange{std::min(sequence.range->lower, shown.lower),
                                std::max(sequence.range->upper, shown.upper), sequence.range->is_cut || shown.is_cut};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Sketch sketch_of(const io::Frame<D>&, const Subject&);                                                    \
    template void reach(Subject&, const io::Frame<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
