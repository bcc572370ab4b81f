#include "floats.h"

static_assert(GMP_LIMB_BITS == 64, "limbs of 64 bits");

Float to_float(const Integer& x, long exponent) {
    if (x == 0) return {};
    const long right = bits(x) - 128;
    uint64_t words[2] = {0, 0};
    const Integer kept = floor_times_power(Integer(abs(x)), -right);
    mpz_export(words, nullptr, -1, sizeof words[0], 0, 0, kept.get_mpz_t());
    return {(static_cast<UnsignedWide>(words[1]) << 64) | words[0], exponent + right};
}

Float to_float(const Rational& x) {
    const long left = 130 + bits(x.get_den()) - bits(x.get_num());
    Integer numerator = abs(x.get_num()), denominator = x.get_den();
    if (left > 0) numerator = floor_times_power(numerator, left);
    else denominator = floor_times_power(denominator, -left);
    return to_float(Integer(numerator / denominator), -left);
}

Float root(const Integer& x, long exponent) {
    long left = 256 - bits(x);
    if ((exponent - left) % 2) ++left;
    return to_float(Integer(sqrt(floor_times_power(x, left))), (exponent - left) / 2);
}

Float inverse_root(const Integer& x, long exponent) {
    long left = 258 + bits(x);
    if ((exponent + left) % 2) ++left;
    return to_float(Integer(sqrt(floor_times_power(Integer(1), left) / x)), -(exponent + left) / 2);
}

Float operator/(const Float& x, const Float& y) {
    const UnsignedWide top = x.mantissa >> 1, bottom = x.mantissa << 127;  // mantissa 2^127 in four words
    const mp_limb_t over[4] = {static_cast<mp_limb_t>(bottom), static_cast<mp_limb_t>(bottom >> 64),
                               static_cast<mp_limb_t>(top), static_cast<mp_limb_t>(top >> 64)};
    const mp_limb_t under[2] = {static_cast<mp_limb_t>(y.mantissa), static_cast<mp_limb_t>(y.mantissa >> 64)};
    mp_limb_t quotient[3], rest[2];
    mpn_tdiv_qr(quotient, rest, 0, over, 4, under, 2);  // less than 2^128, as x.mantissa < 2 y.mantissa
    return to_float((static_cast<UnsignedWide>(quotient[1]) << 64) | quotient[0], x.exponent - y.exponent - 127);
}

Rational exact(const Float& x) {
    Integer whole = (integer(static_cast<Wide>(x.mantissa >> 64)) << 64) + static_cast<unsigned long>(x.mantissa);
    return times_power(Rational(whole), x.exponent);
}
