// Rows and columns of W on some of its contacts.
#pragma once

#include "talus/solvers/assembled/turned_delassus.hpp"
#include "talus/solvers/newton/newton_factor.hpp"

namespace talus {

template <int D>
struct ContactSubset {
    std::vector<std::int32_t> contact;
    BlockPattern pattern;
    std::vector<std::size_t> source; // of each block, in W

    ContactSubset(const TurnedDelassus<D>& w, std::vector<std::int32_t> contacts) : contact(std::move(contacts))
    {
        std::vector<std::int32_t> index(w.size(), -1);
        for (std::size_t k = 0; k < contact.size(); ++k) index[contact[k]] = std::int32_t(k);
        pattern.begin.push_back(0);
        for (const std::int32_t row : contact) {
            for (std::size_t j = w.begin[row]; j < w.begin[row + 1]; ++j) {
                if (index[w.column[j]] < 0) continue;
                pattern.column.push_back(index[w.column[j]]);
                source.push_back(j);
            }
            pattern.begin.push_back(pattern.column.size());
        }
    }
};

} // namespace talus
