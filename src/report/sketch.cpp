#include "report/sketch.hpp"

#include "report/chains.hpp"
#include "report/sketcher.hpp"
#include "report/slice.hpp"

namespace talus::report {

template <int D>
Sketch sketch_of(const io::Frame<D>& frame, const Subject& subject)
{
    const Colouring colouring = colouring_of(frame, subject.colour, subject.bands);
    if (subject.slice) return sketch_of_slice(frame, colouring, *subject.slice);
    const Projection<D> projection = projection_of<D>(subject.view);
    Sketch sketch = laid_out(frame, projection, colouring);
    sketch.chains = chains_of(frame, projection);
    return sketch;
}

template Sketch sketch_of(const io::Frame<2>&, const Subject&);
template Sketch sketch_of(const io::Frame<3>&, const Subject&);

} // namespace talus::report
