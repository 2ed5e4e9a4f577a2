// What formulas need of a number, under names that plain numbers and eight at a time (wide.hpp) share: a law written
// for any number type serves both, and a device.
#pragma once

// A kernel that also runs on a device is marked with this.
#ifdef __CUDACC__
#define TALUS_HD __host__ __device__
#else
#define TALUS_HD
#endif
#define TALUS_INLINE inline __attribute__((always_inline))

namespace talus {

// a where the mask is true, else b
TALUS_HD TALUS_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
TALUS_HD TALUS_INLINE bool any(bool mask) { return mask; }
TALUS_HD TALUS_INLINE bool all(bool mask) { return mask; }
TALUS_HD TALUS_INLINE double larger(double a, double b) { return a > b ? a : b; }

// A vector of N numbers.
template <class Number, int N>
struct Components {
    Number x[N];
    TALUS_HD TALUS_INLINE Number& operator[](int i) { return x[i]; }
    TALUS_HD TALUS_INLINE const Number& operator[](int i) const { return x[i]; }
};

template <class Number, int N>
TALUS_HD TALUS_INLINE Components<Number, N> operator+(const Components<Number, N>& a, const Components<Number, N>& b)
{
    Components<Number, N> c;
    for (int i = 0; i < N; ++i) c[i] = a[i] + b[i];
    return c;
}
template <class Number, int N>
TALUS_HD TALUS_INLINE Components<Number, N> operator-(const Components<Number, N>& a, const Components<Number, N>& b)
{
    Components<Number, N> c;
    for (int i = 0; i < N; ++i) c[i] = a[i] - b[i];
    return c;
}
template <class Number, int N>
TALUS_HD TALUS_INLINE Number dot(const Components<Number, N>& a, const Components<Number, N>& b)
{
    Number sum = a[0] * b[0];
    for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
    return sum;
}

} // namespace talus
