// Stars on an accelerator; the same source is plain C++ for a processor. Matrices are symmetric, s x s, row by row.
//
// A cut t is a star: centre[t], and sizes[t] members from members + 8 t on. Sweeps read and write upper triangles only.
typedef long long Place;
#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define INSIDE static __device__ __forceinline__
#define FIRST (blockIdx.x * (Place)blockDim.x + threadIdx.x)
#define STEP (gridDim.x * (Place)blockDim.x)
#define LANES 32
#define ADD(place, value) atomicAdd(place, value)
#define READ(place) __ldcg(place) /* what other centres have added meanwhile is not in the nearest cache */
#else
#include <math.h>
#define KERNEL extern "C" void
#define INSIDE static inline
#define FIRST 0
#define STEP 1
#define LANES 1
#define ADD(place, value) (*(place) += (value))
#define READ(place) (*(place))
#endif
#define MOST 8

INSIDE Place at(int i, int j, int s) { return i < j ? (Place)i * s + j : (Place)j * s + i; }

INSIDE float clipped(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

// Add a multiple of the matrix of a star to v, but for its diagonal entry.
INSIDE void add_star(int c, int size, const int *members, int s, const float *inverse_roots, float weight, float *v) {
  for (int a = 0; a < size; a++) {
    int i = members[a];
    float half = 0.5f * weight * inverse_roots[i];
    ADD(v + at(c, i, s), -half * inverse_roots[c]);
    for (int b = 0; b < a; b++) ADD(v + at(members[b], i, s), half * inverse_roots[members[b]]);
  }
}

// v += sum of weights[t] A_t.
KERNEL add(Place n, int s, const int *centre, const int *sizes, const int *members, const float *inverse_roots,
           const float *weights, float *v) {
  for (Place t = FIRST; t < n; t += STEP) {
    if (weights[t] == 0.0f) continue;
    int c = centre[t];
    ADD(v + at(c, c, s), weights[t] * inverse_roots[c] * inverse_roots[c]);
    add_star(c, sizes[t], members + MOST * t, s, inverse_roots, weights[t], v);
  }
}

// Coordinate ascent over the cuts of each centre, first[c] to first[c + 1], one after another, for every apart-th centre
// from begin on at the same time. A centre owns its diagonal entry, which all its cuts share.
KERNEL sweep(Place n, int begin, int apart, int s, const int *first, const int *sizes, const int *members, const float *inverse_roots,
             const float *least, const float *upper, float *v, float *weights, int only_used) {
  for (Place c = begin + FIRST * apart; c < s; c += STEP * apart) {
    float own = inverse_roots[c], most = upper[c * s + c], diagonal = v[c * s + c];
    for (int t = first[c]; t < first[c + 1]; t++) {
      if (only_used && weights[t] == 0.0f) continue;
      const int *star = members + MOST * (Place)t;
      float value = own * own * clipped(diagonal, least[c], most), norm = own * own * own * own;
      for (int a = 0; a < sizes[t]; a++) {
        int i = star[a];
        Place e = at(c, i, s);
        float factor = own * inverse_roots[i];
        value -= factor * clipped(READ(v + e), 0.0f, upper[e]);
        norm += 0.5f * factor * factor;
        for (int b = 0; b < a; b++) {
          e = at(star[b], i, s);
          factor = inverse_roots[star[b]] * inverse_roots[i];
          value += factor * clipped(READ(v + e), 0.0f, upper[e]);
          norm += 0.5f * factor * factor;
        }
      }
      float change = fmaxf(-value / norm, -weights[t]);
      if (change == 0.0f) continue;
      weights[t] += change;
      diagonal += change * own * own;
      add_star((int)c, sizes[t], star, s, inverse_roots, change, v);
    }
    v[c * s + c] = diagonal;
  }
}

// For each pair of a centre c and a member a with z[c, a] above least: the further member that adds most to the
// violation, -1 where the pair needs none, and the violation with it. What violates nothing by more keeps what is there.
KERNEL gains(Place n, int s, const float *z, float least, float *violation, int *partner) {
  for (Place e = FIRST; e < n; e += STEP) {
    Place c = e / s, a = e % s;
    if (a == c || z[e] <= least) continue;
    float pair = z[e] - z[c * s + c], best = fmaxf(least - pair, 0.0f);
    int pick = -1;
    for (int j = 0; j < s; j++) {
      float near = z[c * s + j];
      if (near <= best || j == c || j == a) continue;
      float gain = near - z[(Place)j * s + a];
      if (gain > best) best = gain, pick = j;
    }
    if (pick < 0 && pair <= least) continue;
    violation[e] = pair + best;
    partner[e] = pick;
  }
}

// Grow stars, each time by the member that adds most, while there is one; lanes share the search of a star.
KERNEL grow(Place n, int s, const float *z, const int *centre, int *sizes, int *members, float *violation) {
  int lane = (int)(FIRST % LANES);
  for (Place t = FIRST / LANES; t < n; t += STEP / LANES) {
    int c = centre[t], size = sizes[t], *star = members + MOST * t;
    float total = violation[t];
    while (size < MOST) {
      float best = 0.0f;
      int pick = -1;
      for (int j = lane; j < s; j += LANES) {
        float gain = z[(Place)c * s + j];
        if (gain <= best || j == c) continue;
        int is_in = 0;
        for (int a = 0; a < size; a++) gain -= z[(Place)star[a] * s + j], is_in |= star[a] == j;
        if (!is_in && gain > best) best = gain, pick = j;
      }
#ifdef __CUDACC__
      for (int apart = LANES / 2; apart; apart /= 2) {
        float other = __shfl_xor_sync(~0u, best, apart);
        int its = __shfl_xor_sync(~0u, pick, apart);
        if (other > best || (other == best && its > pick)) best = other, pick = its;
      }
#endif
      if (pick < 0) break;
      star[size++] = pick;
      total += best;
#ifdef __CUDACC__
      __syncwarp();
#endif
    }
    sizes[t] = size;
    violation[t] = total;
  }
}
