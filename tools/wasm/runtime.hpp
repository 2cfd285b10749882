// What the translated functions need of Python and NumPy: arrays, and a few functions.
#pragma once

typedef __SIZE_TYPE__ size_t;
#define FUNCTION static
#define INLINED static inline __attribute__((always_inline))
#define FAST _Pragma("clang fp reassociate(on) contract(fast)")

// A part of memory seen as numbers in rows; copies see the same numbers.
template <class T, int N> struct Array {
    T* data;
    int shape[N];
    __attribute__((always_inline)) int row_size() const {
        int size = 1;
        for (int at = 1; at < N; at++) size *= shape[at];
        return size;
    }
    __attribute__((always_inline)) decltype(auto) operator[](int place) const {
        if constexpr (N == 1) {
            return (data[place]);
        } else {
            Array<T, N - 1> row{data + place * row_size(), {}};
            for (int at = 1; at < N; at++) row.shape[at - 1] = shape[at];
            return row;
        }
    }
    T& from_end(int place) const { return data[shape[0] - place]; }
    Array part(int first, int last) const {
        Array found = *this;
        found.data += first * row_size();
        found.shape[0] = last - first;
        return found;
    }
    Array part(int first) const { return part(first, shape[0]); }
    T* begin() const { return data; }
    T* end() const { return data + shape[0]; }
};

template <class T, int N> INLINED int len(const Array<T, N>& array) { return array.shape[0]; }
template <class T, int N> INLINED int count_of(const Array<T, N>& array) {
    return array.row_size() * array.shape[0];
}
template <class T, int N, class V> INLINED Array<T, N> filled(Array<T, N> array, V value) {
    for (int at = 0, size = count_of(array); at < size; at++) array.data[at] = value;
    return array;
}
template <class T, int N, class V> INLINED void fill(Array<T, N> array, V value) {
    filled(array, value);
}
template <class T, int N, class V> INLINED void put(Array<T, N> array, V value) {
    filled(array, value);
}
template <class T, int N, class V> INLINED void divide_by(Array<T, N> array, V value) {
    for (int at = 0, size = count_of(array); at < size; at++) array.data[at] /= value;
}
template <class T, int N> INLINED auto sum_of(const Array<T, N>& array) {
    decltype(array.data[0] + 0) sum = 0;
    for (int at = 0, size = count_of(array); at < size; at++) sum += array.data[at];
    return sum;
}

// Says that memory is not enough, by an exception of whoever runs the module. A trap would be a signal
// of the processor there, and another library may have taken the handler of that signal away.
extern "C" [[noreturn]] __attribute__((import_module("host"), import_name("refuse"))) void refuse();

// Memory is handed out from the heap's beginning on and given back all at once.
extern "C" unsigned char __heap_base;
static const size_t PAGE = 65536;
static size_t used;

static void* reserve(size_t size) {
    size_t begin = used;
    if (size > (size_t)-1 - PAGE - begin) refuse();
    used = (begin + size + 63) / 64 * 64;
    size_t there = __builtin_wasm_memory_size(0) * PAGE;
    if (used > there) {
        size_t pages = (used - there + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) refuse();
    }
    return (void*)begin;
}

template <class T, class... S> INLINED Array<T, sizeof...(S)> make(S... sizes) {
    unsigned long long size = sizeof(T);
    ((size *= (unsigned long long)sizes), ...);
    if (size > (size_t)-1) refuse();
    return {(T*)reserve((size_t)size), {int(sizes)...}};
}
template <class T, int N> INLINED Array<T, N> zeros_like(const Array<T, N>& array) {
    Array<T, N> found = array;
    found.data = make<T>(count_of(array)).data;
    return filled(found, 0);
}
template <class T, int N> INLINED Array<T, N + 1> with_axis(const Array<T, N>& array, int) {
    Array<T, N + 1> found{array.data, {1}};
    for (int at = 0; at < N; at++) found.shape[at + 1] = array.shape[at];
    return found;
}
template <class A, class B> struct Pair { A first; B second; };
template <class A, class B, class C, class D> struct Four { A first; B second; C third; D fourth; };
template <class A, class B> INLINED Pair<A, B> tuple_of(A a, B b) { return {a, b}; }
template <class A, class B, class C, class D> INLINED Four<A, B, C, D> tuple_of(A a, B b, C c, D d) {
    return {a, b, c, d};
}

INLINED double round_up(double x) { return __builtin_ceil(x); }
INLINED double round_even(double x) { return __builtin_rint(x); }

// exp by the method of fdlibm: x = k ln 2 + r, and a rational approximation on |r| <= ln 2 / 2
FUNCTION double exponential(double x) {
    if (x < -700) return 0;
    if (x > 700) return __builtin_inf();
    double k = round_even(x * 1.44269504088896338700e+00);
    double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    double r = high - low, t = r * r;
    double c = r - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    double y = 1.0 - ((low - r * c / (2.0 - c)) - high);
    return y * __builtin_bit_cast(double, (long long)(k + 1023) << 52);
}

// log(1 + x) for 0 <= x <= 1: twice the series of artanh at x / (2 + x), which is at most 1/3
FUNCTION double log_1p(double x) {
    double s = x / (2 + x), t = s * s, sum = 0;
    for (int odd = 35; odd > 1; odd -= 2) sum = (sum + 1.0 / odd) * t;
    return 2 * s * (1 + sum);
}

// what a compiler may call for copies and zeros
extern "C" void* memset(void* to, int value, size_t size) {
    for (size_t at = 0; at < size; at++) ((volatile unsigned char*)to)[at] = value;
    return to;
}
extern "C" void* memcpy(void* to, const void* from, size_t size) {
    for (size_t at = 0; at < size; at++) ((volatile unsigned char*)to)[at] = ((const unsigned char*)from)[at];
    return to;
}
