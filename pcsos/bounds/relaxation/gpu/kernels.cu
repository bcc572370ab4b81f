// Steps of the engine and its stars on an accelerator; the same source is plain C++ for a processor.
//
// Matrices are symmetric, s x s, row by row; what is not said to be whole is read and written in upper triangles only. A
// star t has the centre centre[t], and sizes[t] members from members + 8 t on.
typedef long long Place;
#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define INSIDE static __device__ __forceinline__
#define FIRST (blockIdx.x * (Place)blockDim.x + threadIdx.x)
#define STEP (gridDim.x * (Place)blockDim.x)
#define LANES 32
#define ADD(place, value) atomicAdd(place, value)
#define READ(place) __ldcg(place) /* what other centres have added meanwhile is not in the nearest cache */
#define MEET() __syncwarp()
#define VOTES(yes) __ballot_sync(~0u, yes)
#define LOWEST(bits) (__ffs(bits) - 1)
#define FROM(lane, value) __shfl_sync(~0u, value, lane)
#else
#include <math.h>
#define KERNEL extern "C" void
#define INSIDE static inline
#define FIRST 0
#define STEP 1
#define LANES 1
#define ADD(place, value) (*(place) += (value))
#define READ(place) (*(place))
#define MEET()
#define VOTES(yes) ((unsigned)(yes))
#define LOWEST(bits) 0
#define FROM(lane, value) (value)
#endif
#define LANE ((int)(FIRST % LANES))
#define MOST 8
#define SIDE 4

INSIDE Place at(int i, int j, int s) { return i < j ? (Place)i * s + j : (Place)j * s + i; }

INSIDE float clipped(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

// What all lanes have, together; each of them gets it.
INSIDE float summed(float value) {
#ifdef __CUDACC__
  for (int apart = LANES / 2; apart; apart /= 2) value += __shfl_xor_sync(~0u, value, apart);
#endif
  return value;
}

// Copy the upper triangle of a to the lower one; lanes share a row, here and below.
KERNEL mirror(Place n, int s, float *a) {
  for (Place i = FIRST / LANES; i < n; i += STEP / LANES)
    for (Place j = i + LANE; j < s; j += LANES) a[j * s + i] = a[i * s + j];
}

// Write gram / sigma + x - u to v, which is whole.
KERNEL point(Place n, int s, const float *gram, float factor, const float *x, const float *u, float *v) {
  for (Place i = FIRST / LANES; i < n; i += STEP / LANES)
    for (Place j = i + LANE; j < s; j += LANES) {
      Place e = i * s + j;
      v[e] = v[j * s + i] = gram[e] * factor + x[e] - u[e];
    }
}

// Add alpha y + (1 - alpha) x to u, and copy it to v.
KERNEL aim(Place n, int s, const float *y, float alpha, const float *x, float *u, float *v) {
  for (Place i = FIRST / LANES; i < n; i += STEP / LANES)
    for (Place e = i * s + i + LANE; e < (i + 1) * s; e += LANES) v[e] = u[e] += alpha * y[e] + (1.0f - alpha) * x[e];
}

// Clip v to the box, make it x, and take it from u. Write the squares of y - x and of what x has changed by, row by row.
KERNEL move(Place n, int s, const float *y, const float *v, const float *least, const float *upper, float *x, float *u,
            float *squares) {
  for (Place i = FIRST / LANES; i < n; i += STEP / LANES) {
    float primal = 0.0f, dual = 0.0f;
    for (Place j = i + LANE; j < s; j += LANES) {
      Place e = i * s + j;
      float value = clipped(v[e], i == j ? least[i] : 0.0f, upper[e]), times = i == j ? 1.0f : 2.0f;
      primal += times * (y[e] - value) * (y[e] - value);
      dual += times * (value - x[e]) * (value - x[e]);
      x[e] = value;
      u[e] -= value;
    }
    primal = summed(primal), dual = summed(dual);
    if (LANE == 0) squares[i] = primal, squares[s + i] = dual;
  }
}

// An entry of a star is of two members b < a, or, where b = a, of a member and the centre: e = a (a + 1) / 2 + b counts
// them, whatever the size. Return where it is, and its coefficient; the diagonal one of the centre is left out.
INSIDE Place entry(int e, int c, const int *star, int s, const float *inverse_roots, float *factor) {
  int a = (int)(0.5f * (sqrtf(8.0f * e + 1.0f) - 1.0f)), b = e - a * (a + 1) / 2, i = star[a], j = a == b ? c : star[b];
  *factor = (a == b ? -1.0f : 1.0f) * inverse_roots[i] * inverse_roots[j];
  return at(i, j, s);
}

INSIDE int entries(int size) { return size * (size + 1) / 2; }

// Add a multiple of the matrix of a star to v, but for its diagonal entry.
INSIDE void add_star(int c, int size, const int *star, int s, const float *inverse_roots, float weight, float *v,
                     int lane, int lanes) {
  for (int e = lane; e < entries(size); e += lanes) {
    float factor;
    Place place = entry(e, c, star, s, inverse_roots, &factor);
    ADD(v + place, 0.5f * weight * factor);
  }
}

// v += sum of weights[t] A_t.
KERNEL add(Place n, int s, const int *centre, const int *sizes, const int *members, const float *inverse_roots,
           const float *weights, float *v) {
  for (Place t = FIRST; t < n; t += STEP) {
    if (weights[t] == 0.0f) continue;
    int c = centre[t];
    ADD(v + at(c, c, s), weights[t] * inverse_roots[c] * inverse_roots[c]);
    add_star(c, sizes[t], members + MOST * t, s, inverse_roots, weights[t], v, 0, 1);
  }
}

// Coordinate ascent over the cuts of each centre, first[c] to first[c + 1], one after another, for every apart-th centre
// from begin on at the same time; lanes share a cut. A centre owns its diagonal entry, which all its cuts share.
KERNEL sweep(Place n, int begin, int apart, int s, const int *first, const int *sizes, const int *members,
             const float *inverse_roots, const float *least, const float *upper, float *v, float *weights,
             int only_used) {
  for (Place c = begin + FIRST / LANES * apart; c < s; c += STEP / LANES * apart) {
    float own = inverse_roots[c], most = upper[c * s + c], diagonal = v[c * s + c];
    for (int t = first[c]; t < first[c + 1]; t++) {
      float weight = weights[t];
      if (only_used && weight == 0.0f) continue;
      const int *star = members + MOST * (Place)t;
      float value = 0.0f, norm = 0.0f, factor;
      for (int e = LANE; e < entries(sizes[t]); e += LANES) {
        Place place = entry(e, (int)c, star, s, inverse_roots, &factor);
        value += factor * clipped(READ(v + place), 0.0f, upper[place]);
        norm += 0.5f * factor * factor;
      }
      value = summed(value) + own * own * clipped(diagonal, least[c], most);
      norm = summed(norm) + own * own * own * own;
      float change = fmaxf(-value / norm, -weight);
      if (change == 0.0f) continue;
      if (LANE == 0) weights[t] = weight + change;
      diagonal += change * own * own;
      add_star((int)c, sizes[t], star, s, inverse_roots, change, v, LANE, LANES);
      MEET();
    }
    if (LANE == 0) v[c * s + c] = diagonal;
  }
}

// For each pair of a centre c and a member a that are together by more than least: the further member that adds most to
// the violation of c and a, -1 where the pair needs none, and the violation with it. What violates nothing by more keeps
// what is there. z is whole, here and below. A thread looks at SIDE centres, neighbours in an order in which those of a
// cluster are, and at SIDE members at the same time, so that what it reads serves several times.
KERNEL gains(Place n, int s, const float *z, const int *order, float least, float *violation, int *partner) {
  Place rows = (n + SIDE - 1) / SIDE, wide = (rows + LANES - 1) / LANES * LANES;
  for (Place t = FIRST; t < rows * wide; t += STEP) {
    int row = (int)(t / wide) * SIDE, group = (int)(t % wide), c[SIDE], a[SIDE], pick[SIDE][SIDE];
    float best[SIDE][SIDE];
    for (int q = 0; q < SIDE; q++) {
      c[q] = order[row + q < s ? row + q : s - 1];
      a[q] = group / LANES * (SIDE * LANES) + group % LANES + LANES * q;
    }
    for (int p = 0; p < SIDE; p++)
      for (int q = 0; q < SIDE; q++) {
        Place e = (Place)c[p] * s + (a[q] < s ? a[q] : c[p]);
        pick[p][q] = -1, best[p][q] = fmaxf(least - z[e] + z[(Place)c[p] * s + c[p]], 0.0f);
      }
    for (int begin = 0; begin < s; begin += LANES) {
      float mine[SIDE], near[SIDE], far[SIDE], most = 0.0f;
      for (int p = 0, j = begin + LANE; p < SIDE; p++) {
        mine[p] = j < s && j != c[p] ? z[(Place)c[p] * s + j] : 0.0f;
        most = fmaxf(most, mine[p]);
      }
      for (unsigned lanes = VOTES(most > least); lanes; lanes &= lanes - 1) {
        int lane = LOWEST(lanes), j = begin + lane;
        for (int p = 0; p < SIDE; p++) near[p] = FROM(lane, mine[p]);
        for (int q = 0; q < SIDE; q++) far[q] = j == a[q] || a[q] >= s ? 1e30f : z[(Place)j * s + a[q]];
        for (int p = 0; p < SIDE; p++)
          for (int q = 0; q < SIDE; q++)
            if (near[p] - far[q] > best[p][q]) best[p][q] = near[p] - far[q], pick[p][q] = j;
      }
    }
    for (int p = 0; p < SIDE; p++)
      for (int q = 0; q < SIDE; q++) {
        Place e = (Place)c[p] * s + a[q];
        if (a[q] >= s || a[q] == c[p] || z[e] <= least) continue;
        float pair = z[e] - z[(Place)c[p] * s + c[p]];
        if (pick[p][q] < 0 && pair <= least) continue;
        violation[e] = pair + best[p][q];
        partner[e] = pick[p][q];
      }
  }
}

// Grow stars, each time by the member that adds most, while there is one; lanes share the search of a star.
KERNEL grow(Place n, int s, const float *z, const int *centre, int *sizes, int *members, float *violation) {
  for (Place t = FIRST / LANES; t < n; t += STEP / LANES) {
    int c = centre[t], size = sizes[t], *star = members + MOST * t;
    float total = violation[t];
    while (size < MOST) {
      float best = 0.0f;
      int pick = -1;
      for (int j = LANE; j < s; j += LANES) {
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
      if (LANE == 0) star[size] = pick;
      size++;
      total += best;
      MEET();
    }
    if (LANE == 0) sizes[t] = size, violation[t] = total;
  }
}
