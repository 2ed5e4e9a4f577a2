// Two contact problems that must be the same, number for number.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

#include <gtest/gtest.h>

namespace talus {

template <int D>
void expect_same(const AssembledProblem<D>& a, const AssembledProblem<D>& b)
{
    EXPECT_EQ(a.begin, b.begin);
    EXPECT_EQ(a.column, b.column);
    EXPECT_TRUE(a.block == b.block);
    EXPECT_TRUE(a.free_velocity == b.free_velocity);
    EXPECT_TRUE(a.friction == b.friction);
    EXPECT_TRUE(a.impulse == b.impulse);
    EXPECT_EQ(a.reference_velocity, b.reference_velocity);
}

template <int D>
void expect_same(const ContactProblem<D>& a, const ContactProblem<D>& b)
{
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    ASSERT_EQ(a.rows.size(), b.rows.size());
    ASSERT_EQ(a.rolling.size(), b.rolling.size());
    EXPECT_EQ(a.reference_velocity, b.reference_velocity);
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
        EXPECT_EQ(a.bodies[k].velocity, b.bodies[k].velocity);
        EXPECT_EQ(a.bodies[k].spin, b.bodies[k].spin);
        EXPECT_EQ(a.bodies[k].inverse_mass, b.bodies[k].inverse_mass);
        EXPECT_EQ(a.bodies[k].inverse_inertia * Ang<D>::Ones(), b.bodies[k].inverse_inertia * Ang<D>::Ones());
    }
    for (std::size_t k = 0; k < a.rows.size(); ++k) {
        const ContactRow<D>&one = a.rows[k], &two = b.rows[k];
        EXPECT_EQ(one.candidate, two.candidate);
        EXPECT_EQ(one.antagonist, two.antagonist);
        EXPECT_EQ(one.frame, two.frame);
        EXPECT_EQ(one.candidate_lever, two.candidate_lever);
        EXPECT_EQ(one.antagonist_lever, two.antagonist_lever);
        EXPECT_EQ(one.offset, two.offset);
        EXPECT_EQ(one.impulse, two.impulse);
        EXPECT_EQ(one.block.normal, two.block.normal);
        EXPECT_EQ(one.block.coupling, two.block.coupling);
        EXPECT_EQ(one.block.schur, two.block.schur);
        EXPECT_EQ(one.block.friction, two.block.friction);
    }
    for (std::size_t k = 0; k < a.rolling.size(); ++k) {
        EXPECT_EQ(a.rolling[k].rolling_friction, b.rolling[k].rolling_friction);
        EXPECT_EQ(a.rolling[k].impulse, b.rolling[k].impulse);
        EXPECT_EQ(a.rolling[k].compliance, b.rolling[k].compliance);
        EXPECT_EQ(a.rolling[k].isotropic, b.rolling[k].isotropic);
    }
}

} // namespace talus
