// MD5 (RFC 1321) of four or eight messages at once, one in each 32-bit lane of a vector. A single MD5 waits for its own last step
// all the time; several of them side by side do not wait for each other. AssemblyScript; `node scripts/make-wasm.mjs` compiles it.

const CONSTANTS: usize = memory.data<u32>([
  0xd76aa478, 0xd76aa478, 0xd76aa478, 0xd76aa478,
  0xe8c7b756, 0xe8c7b756, 0xe8c7b756, 0xe8c7b756,
  0x242070db, 0x242070db, 0x242070db, 0x242070db,
  0xc1bdceee, 0xc1bdceee, 0xc1bdceee, 0xc1bdceee,
  0xf57c0faf, 0xf57c0faf, 0xf57c0faf, 0xf57c0faf,
  0x4787c62a, 0x4787c62a, 0x4787c62a, 0x4787c62a,
  0xa8304613, 0xa8304613, 0xa8304613, 0xa8304613,
  0xfd469501, 0xfd469501, 0xfd469501, 0xfd469501,
  0x698098d8, 0x698098d8, 0x698098d8, 0x698098d8,
  0x8b44f7af, 0x8b44f7af, 0x8b44f7af, 0x8b44f7af,
  0xffff5bb1, 0xffff5bb1, 0xffff5bb1, 0xffff5bb1,
  0x895cd7be, 0x895cd7be, 0x895cd7be, 0x895cd7be,
  0x6b901122, 0x6b901122, 0x6b901122, 0x6b901122,
  0xfd987193, 0xfd987193, 0xfd987193, 0xfd987193,
  0xa679438e, 0xa679438e, 0xa679438e, 0xa679438e,
  0x49b40821, 0x49b40821, 0x49b40821, 0x49b40821,
  0xf61e2562, 0xf61e2562, 0xf61e2562, 0xf61e2562,
  0xc040b340, 0xc040b340, 0xc040b340, 0xc040b340,
  0x265e5a51, 0x265e5a51, 0x265e5a51, 0x265e5a51,
  0xe9b6c7aa, 0xe9b6c7aa, 0xe9b6c7aa, 0xe9b6c7aa,
  0xd62f105d, 0xd62f105d, 0xd62f105d, 0xd62f105d,
  0x02441453, 0x02441453, 0x02441453, 0x02441453,
  0xd8a1e681, 0xd8a1e681, 0xd8a1e681, 0xd8a1e681,
  0xe7d3fbc8, 0xe7d3fbc8, 0xe7d3fbc8, 0xe7d3fbc8,
  0x21e1cde6, 0x21e1cde6, 0x21e1cde6, 0x21e1cde6,
  0xc33707d6, 0xc33707d6, 0xc33707d6, 0xc33707d6,
  0xf4d50d87, 0xf4d50d87, 0xf4d50d87, 0xf4d50d87,
  0x455a14ed, 0x455a14ed, 0x455a14ed, 0x455a14ed,
  0xa9e3e905, 0xa9e3e905, 0xa9e3e905, 0xa9e3e905,
  0xfcefa3f8, 0xfcefa3f8, 0xfcefa3f8, 0xfcefa3f8,
  0x676f02d9, 0x676f02d9, 0x676f02d9, 0x676f02d9,
  0x8d2a4c8a, 0x8d2a4c8a, 0x8d2a4c8a, 0x8d2a4c8a,
  0xfffa3942, 0xfffa3942, 0xfffa3942, 0xfffa3942,
  0x8771f681, 0x8771f681, 0x8771f681, 0x8771f681,
  0x6d9d6122, 0x6d9d6122, 0x6d9d6122, 0x6d9d6122,
  0xfde5380c, 0xfde5380c, 0xfde5380c, 0xfde5380c,
  0xa4beea44, 0xa4beea44, 0xa4beea44, 0xa4beea44,
  0x4bdecfa9, 0x4bdecfa9, 0x4bdecfa9, 0x4bdecfa9,
  0xf6bb4b60, 0xf6bb4b60, 0xf6bb4b60, 0xf6bb4b60,
  0xbebfbc70, 0xbebfbc70, 0xbebfbc70, 0xbebfbc70,
  0x289b7ec6, 0x289b7ec6, 0x289b7ec6, 0x289b7ec6,
  0xeaa127fa, 0xeaa127fa, 0xeaa127fa, 0xeaa127fa,
  0xd4ef3085, 0xd4ef3085, 0xd4ef3085, 0xd4ef3085,
  0x04881d05, 0x04881d05, 0x04881d05, 0x04881d05,
  0xd9d4d039, 0xd9d4d039, 0xd9d4d039, 0xd9d4d039,
  0xe6db99e5, 0xe6db99e5, 0xe6db99e5, 0xe6db99e5,
  0x1fa27cf8, 0x1fa27cf8, 0x1fa27cf8, 0x1fa27cf8,
  0xc4ac5665, 0xc4ac5665, 0xc4ac5665, 0xc4ac5665,
  0xf4292244, 0xf4292244, 0xf4292244, 0xf4292244,
  0x432aff97, 0x432aff97, 0x432aff97, 0x432aff97,
  0xab9423a7, 0xab9423a7, 0xab9423a7, 0xab9423a7,
  0xfc93a039, 0xfc93a039, 0xfc93a039, 0xfc93a039,
  0x655b59c3, 0x655b59c3, 0x655b59c3, 0x655b59c3,
  0x8f0ccc92, 0x8f0ccc92, 0x8f0ccc92, 0x8f0ccc92,
  0xffeff47d, 0xffeff47d, 0xffeff47d, 0xffeff47d,
  0x85845dd1, 0x85845dd1, 0x85845dd1, 0x85845dd1,
  0x6fa87e4f, 0x6fa87e4f, 0x6fa87e4f, 0x6fa87e4f,
  0xfe2ce6e0, 0xfe2ce6e0, 0xfe2ce6e0, 0xfe2ce6e0,
  0xa3014314, 0xa3014314, 0xa3014314, 0xa3014314,
  0x4e0811a1, 0x4e0811a1, 0x4e0811a1, 0x4e0811a1,
  0xf7537e82, 0xf7537e82, 0xf7537e82, 0xf7537e82,
  0xbd3af235, 0xbd3af235, 0xbd3af235, 0xbd3af235,
  0x2ad7d2bb, 0x2ad7d2bb, 0x2ad7d2bb, 0x2ad7d2bb,
  0xeb86d391, 0xeb86d391, 0xeb86d391, 0xeb86d391
], 16);

@inline
function k(i: usize): v128 {
  return v128.load(CONSTANTS + (i << 4));
}

@inline
function rotated(x: v128, s: i32): v128 {
  return v128.or(i32x4.shl(x, s), i32x4.shr_u(x, 32 - s));
}

// What does not depend on `b`, the result of the step before, is computed first: the rest is the chain that everything waits for.
@inline
function step(rest: v128, f: v128, b: v128, s: i32): v128 {
  return i32x4.add(b, rotated(i32x4.add(rest, f), s));
}

@inline
function sum(a: v128, m: v128, t: v128): v128 {
  return i32x4.add(a, i32x4.add(m, t));
}

@inline
function ff(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: v128): v128 {
  return step(sum(a, m, t), v128.xor(d, v128.and(b, v128.xor(c, d))), b, s);
}

// (b and d) or (c and not d): no bit is in both, so that one of them can be added early.
@inline
function gg(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: v128): v128 {
  return step(i32x4.add(sum(a, m, t), v128.andnot(c, d)), v128.and(b, d), b, s);
}

@inline
function hh(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: v128): v128 {
  return step(sum(a, m, t), v128.xor(b, v128.xor(c, d)), b, s);
}

@inline
function ii(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: v128): v128 {
  return step(sum(a, m, t), v128.xor(c, v128.or(b, v128.not(d))), b, s);
}

// Hashes `blocks` blocks of 64 bytes of each message into the states at `state`: a, b, c, d, each with four lanes.
export function hashFour(state: usize, p0: usize, p1: usize, p2: usize, p3: usize, blocks: i32): void {
  let a = v128.load(state);
  let b = v128.load(state, 16);
  let c = v128.load(state, 32);
  let d = v128.load(state, 48);
  while (blocks > 0) {
    const a0 = a, b0 = b, c0 = c, d0 = d;
    const r00 = v128.load(p0, 0), r01 = v128.load(p1, 0), r02 = v128.load(p2, 0), r03 = v128.load(p3, 0);
    const l00 = v128.shuffle<i32>(r00, r01, 0, 4, 1, 5), h00 = v128.shuffle<i32>(r00, r01, 2, 6, 3, 7);
    const l01 = v128.shuffle<i32>(r02, r03, 0, 4, 1, 5), h01 = v128.shuffle<i32>(r02, r03, 2, 6, 3, 7);
    const m0 = v128.shuffle<i64>(l00, l01, 0, 2), m1 = v128.shuffle<i64>(l00, l01, 1, 3);
    const m2 = v128.shuffle<i64>(h00, h01, 0, 2), m3 = v128.shuffle<i64>(h00, h01, 1, 3);
    const r10 = v128.load(p0, 16), r11 = v128.load(p1, 16), r12 = v128.load(p2, 16), r13 = v128.load(p3, 16);
    const l10 = v128.shuffle<i32>(r10, r11, 0, 4, 1, 5), h10 = v128.shuffle<i32>(r10, r11, 2, 6, 3, 7);
    const l11 = v128.shuffle<i32>(r12, r13, 0, 4, 1, 5), h11 = v128.shuffle<i32>(r12, r13, 2, 6, 3, 7);
    const m4 = v128.shuffle<i64>(l10, l11, 0, 2), m5 = v128.shuffle<i64>(l10, l11, 1, 3);
    const m6 = v128.shuffle<i64>(h10, h11, 0, 2), m7 = v128.shuffle<i64>(h10, h11, 1, 3);
    const r20 = v128.load(p0, 32), r21 = v128.load(p1, 32), r22 = v128.load(p2, 32), r23 = v128.load(p3, 32);
    const l20 = v128.shuffle<i32>(r20, r21, 0, 4, 1, 5), h20 = v128.shuffle<i32>(r20, r21, 2, 6, 3, 7);
    const l21 = v128.shuffle<i32>(r22, r23, 0, 4, 1, 5), h21 = v128.shuffle<i32>(r22, r23, 2, 6, 3, 7);
    const m8 = v128.shuffle<i64>(l20, l21, 0, 2), m9 = v128.shuffle<i64>(l20, l21, 1, 3);
    const m10 = v128.shuffle<i64>(h20, h21, 0, 2), m11 = v128.shuffle<i64>(h20, h21, 1, 3);
    const r30 = v128.load(p0, 48), r31 = v128.load(p1, 48), r32 = v128.load(p2, 48), r33 = v128.load(p3, 48);
    const l30 = v128.shuffle<i32>(r30, r31, 0, 4, 1, 5), h30 = v128.shuffle<i32>(r30, r31, 2, 6, 3, 7);
    const l31 = v128.shuffle<i32>(r32, r33, 0, 4, 1, 5), h31 = v128.shuffle<i32>(r32, r33, 2, 6, 3, 7);
    const m12 = v128.shuffle<i64>(l30, l31, 0, 2), m13 = v128.shuffle<i64>(l30, l31, 1, 3);
    const m14 = v128.shuffle<i64>(h30, h31, 0, 2), m15 = v128.shuffle<i64>(h30, h31, 1, 3);
    a = ff(a, b, c, d, m0, 7, k(0));
    d = ff(d, a, b, c, m1, 12, k(1));
    c = ff(c, d, a, b, m2, 17, k(2));
    b = ff(b, c, d, a, m3, 22, k(3));
    a = ff(a, b, c, d, m4, 7, k(4));
    d = ff(d, a, b, c, m5, 12, k(5));
    c = ff(c, d, a, b, m6, 17, k(6));
    b = ff(b, c, d, a, m7, 22, k(7));
    a = ff(a, b, c, d, m8, 7, k(8));
    d = ff(d, a, b, c, m9, 12, k(9));
    c = ff(c, d, a, b, m10, 17, k(10));
    b = ff(b, c, d, a, m11, 22, k(11));
    a = ff(a, b, c, d, m12, 7, k(12));
    d = ff(d, a, b, c, m13, 12, k(13));
    c = ff(c, d, a, b, m14, 17, k(14));
    b = ff(b, c, d, a, m15, 22, k(15));
    a = gg(a, b, c, d, m1, 5, k(16));
    d = gg(d, a, b, c, m6, 9, k(17));
    c = gg(c, d, a, b, m11, 14, k(18));
    b = gg(b, c, d, a, m0, 20, k(19));
    a = gg(a, b, c, d, m5, 5, k(20));
    d = gg(d, a, b, c, m10, 9, k(21));
    c = gg(c, d, a, b, m15, 14, k(22));
    b = gg(b, c, d, a, m4, 20, k(23));
    a = gg(a, b, c, d, m9, 5, k(24));
    d = gg(d, a, b, c, m14, 9, k(25));
    c = gg(c, d, a, b, m3, 14, k(26));
    b = gg(b, c, d, a, m8, 20, k(27));
    a = gg(a, b, c, d, m13, 5, k(28));
    d = gg(d, a, b, c, m2, 9, k(29));
    c = gg(c, d, a, b, m7, 14, k(30));
    b = gg(b, c, d, a, m12, 20, k(31));
    a = hh(a, b, c, d, m5, 4, k(32));
    d = hh(d, a, b, c, m8, 11, k(33));
    c = hh(c, d, a, b, m11, 16, k(34));
    b = hh(b, c, d, a, m14, 23, k(35));
    a = hh(a, b, c, d, m1, 4, k(36));
    d = hh(d, a, b, c, m4, 11, k(37));
    c = hh(c, d, a, b, m7, 16, k(38));
    b = hh(b, c, d, a, m10, 23, k(39));
    a = hh(a, b, c, d, m13, 4, k(40));
    d = hh(d, a, b, c, m0, 11, k(41));
    c = hh(c, d, a, b, m3, 16, k(42));
    b = hh(b, c, d, a, m6, 23, k(43));
    a = hh(a, b, c, d, m9, 4, k(44));
    d = hh(d, a, b, c, m12, 11, k(45));
    c = hh(c, d, a, b, m15, 16, k(46));
    b = hh(b, c, d, a, m2, 23, k(47));
    a = ii(a, b, c, d, m0, 6, k(48));
    d = ii(d, a, b, c, m7, 10, k(49));
    c = ii(c, d, a, b, m14, 15, k(50));
    b = ii(b, c, d, a, m5, 21, k(51));
    a = ii(a, b, c, d, m12, 6, k(52));
    d = ii(d, a, b, c, m3, 10, k(53));
    c = ii(c, d, a, b, m10, 15, k(54));
    b = ii(b, c, d, a, m1, 21, k(55));
    a = ii(a, b, c, d, m8, 6, k(56));
    d = ii(d, a, b, c, m15, 10, k(57));
    c = ii(c, d, a, b, m6, 15, k(58));
    b = ii(b, c, d, a, m13, 21, k(59));
    a = ii(a, b, c, d, m4, 6, k(60));
    d = ii(d, a, b, c, m11, 10, k(61));
    c = ii(c, d, a, b, m2, 15, k(62));
    b = ii(b, c, d, a, m9, 21, k(63));
    a = i32x4.add(a, a0);
    b = i32x4.add(b, b0);
    c = i32x4.add(c, c0);
    d = i32x4.add(d, d0);
    p0 += 64;
    p1 += 64;
    p2 += 64;
    p3 += 64;
    blocks--;
  }
  v128.store(state, a);
  v128.store(state, b, 16);
  v128.store(state, c, 32);
  v128.store(state, d, 48);
}

// Eight messages: two vectors in step. Where a vector operation takes more than one cycle, four messages leave half of the
// processor idle. Words are turned into vectors in memory first: registers hold the states and little else.
const LEFT: usize = 256;
const RIGHT: usize = 512;

@inline
function word(vectors: usize, i: usize): v128 {
  return v128.load(vectors + (i << 4));
}

@inline
function turnWords(to: usize, p0: usize, p1: usize, p2: usize, p3: usize, at: usize): void {
  const r0 = v128.load(p0 + at), r1 = v128.load(p1 + at), r2 = v128.load(p2 + at), r3 = v128.load(p3 + at);
  const l0 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5), h0 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
  const l1 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5), h1 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  v128.store(to + (at << 2), v128.shuffle<i64>(l0, l1, 0, 2), 0);
  v128.store(to + (at << 2), v128.shuffle<i64>(l0, l1, 1, 3), 16);
  v128.store(to + (at << 2), v128.shuffle<i64>(h0, h1, 0, 2), 32);
  v128.store(to + (at << 2), v128.shuffle<i64>(h0, h1, 1, 3), 48);
}

// The addresses of eight messages, 32 bits each, are at `pointers`; their states at `state`: a, b, c, d of the first four, then of the
// others. Bytes 256 to 767 of the memory are
// overwritten.
export function hashEight(state: usize, pointers: usize, blocks: i32): void {
  let a1 = v128.load(state), b1 = v128.load(state, 16), c1 = v128.load(state, 32), d1 = v128.load(state, 48);
  let a2 = v128.load(state, 64), b2 = v128.load(state, 80), c2 = v128.load(state, 96), d2 = v128.load(state, 112);
  const p0 = load<u32>(pointers, 0), p1 = load<u32>(pointers, 4), p2 = load<u32>(pointers, 8), p3 = load<u32>(pointers, 12);
  const p4 = load<u32>(pointers, 16), p5 = load<u32>(pointers, 20), p6 = load<u32>(pointers, 24), p7 = load<u32>(pointers, 28);
  let at: usize = 0;
  while (blocks > 0) {
    const a1Before = a1, b1Before = b1, c1Before = c1, d1Before = d1;
    const a2Before = a2, b2Before = b2, c2Before = c2, d2Before = d2;
    for (let i: usize = 0; i < 64; i += 16) {
      turnWords(LEFT, p0 + at, p1 + at, p2 + at, p3 + at, i);
      turnWords(RIGHT, p4 + at, p5 + at, p6 + at, p7 + at, i);
    }
    a1 = ff(a1, b1, c1, d1, word(LEFT, 0), 7, k(0));
    a2 = ff(a2, b2, c2, d2, word(RIGHT, 0), 7, k(0));
    d1 = ff(d1, a1, b1, c1, word(LEFT, 1), 12, k(1));
    d2 = ff(d2, a2, b2, c2, word(RIGHT, 1), 12, k(1));
    c1 = ff(c1, d1, a1, b1, word(LEFT, 2), 17, k(2));
    c2 = ff(c2, d2, a2, b2, word(RIGHT, 2), 17, k(2));
    b1 = ff(b1, c1, d1, a1, word(LEFT, 3), 22, k(3));
    b2 = ff(b2, c2, d2, a2, word(RIGHT, 3), 22, k(3));
    a1 = ff(a1, b1, c1, d1, word(LEFT, 4), 7, k(4));
    a2 = ff(a2, b2, c2, d2, word(RIGHT, 4), 7, k(4));
    d1 = ff(d1, a1, b1, c1, word(LEFT, 5), 12, k(5));
    d2 = ff(d2, a2, b2, c2, word(RIGHT, 5), 12, k(5));
    c1 = ff(c1, d1, a1, b1, word(LEFT, 6), 17, k(6));
    c2 = ff(c2, d2, a2, b2, word(RIGHT, 6), 17, k(6));
    b1 = ff(b1, c1, d1, a1, word(LEFT, 7), 22, k(7));
    b2 = ff(b2, c2, d2, a2, word(RIGHT, 7), 22, k(7));
    a1 = ff(a1, b1, c1, d1, word(LEFT, 8), 7, k(8));
    a2 = ff(a2, b2, c2, d2, word(RIGHT, 8), 7, k(8));
    d1 = ff(d1, a1, b1, c1, word(LEFT, 9), 12, k(9));
    d2 = ff(d2, a2, b2, c2, word(RIGHT, 9), 12, k(9));
    c1 = ff(c1, d1, a1, b1, word(LEFT, 10), 17, k(10));
    c2 = ff(c2, d2, a2, b2, word(RIGHT, 10), 17, k(10));
    b1 = ff(b1, c1, d1, a1, word(LEFT, 11), 22, k(11));
    b2 = ff(b2, c2, d2, a2, word(RIGHT, 11), 22, k(11));
    a1 = ff(a1, b1, c1, d1, word(LEFT, 12), 7, k(12));
    a2 = ff(a2, b2, c2, d2, word(RIGHT, 12), 7, k(12));
    d1 = ff(d1, a1, b1, c1, word(LEFT, 13), 12, k(13));
    d2 = ff(d2, a2, b2, c2, word(RIGHT, 13), 12, k(13));
    c1 = ff(c1, d1, a1, b1, word(LEFT, 14), 17, k(14));
    c2 = ff(c2, d2, a2, b2, word(RIGHT, 14), 17, k(14));
    b1 = ff(b1, c1, d1, a1, word(LEFT, 15), 22, k(15));
    b2 = ff(b2, c2, d2, a2, word(RIGHT, 15), 22, k(15));
    a1 = gg(a1, b1, c1, d1, word(LEFT, 1), 5, k(16));
    a2 = gg(a2, b2, c2, d2, word(RIGHT, 1), 5, k(16));
    d1 = gg(d1, a1, b1, c1, word(LEFT, 6), 9, k(17));
    d2 = gg(d2, a2, b2, c2, word(RIGHT, 6), 9, k(17));
    c1 = gg(c1, d1, a1, b1, word(LEFT, 11), 14, k(18));
    c2 = gg(c2, d2, a2, b2, word(RIGHT, 11), 14, k(18));
    b1 = gg(b1, c1, d1, a1, word(LEFT, 0), 20, k(19));
    b2 = gg(b2, c2, d2, a2, word(RIGHT, 0), 20, k(19));
    a1 = gg(a1, b1, c1, d1, word(LEFT, 5), 5, k(20));
    a2 = gg(a2, b2, c2, d2, word(RIGHT, 5), 5, k(20));
    d1 = gg(d1, a1, b1, c1, word(LEFT, 10), 9, k(21));
    d2 = gg(d2, a2, b2, c2, word(RIGHT, 10), 9, k(21));
    c1 = gg(c1, d1, a1, b1, word(LEFT, 15), 14, k(22));
    c2 = gg(c2, d2, a2, b2, word(RIGHT, 15), 14, k(22));
    b1 = gg(b1, c1, d1, a1, word(LEFT, 4), 20, k(23));
    b2 = gg(b2, c2, d2, a2, word(RIGHT, 4), 20, k(23));
    a1 = gg(a1, b1, c1, d1, word(LEFT, 9), 5, k(24));
    a2 = gg(a2, b2, c2, d2, word(RIGHT, 9), 5, k(24));
    d1 = gg(d1, a1, b1, c1, word(LEFT, 14), 9, k(25));
    d2 = gg(d2, a2, b2, c2, word(RIGHT, 14), 9, k(25));
    c1 = gg(c1, d1, a1, b1, word(LEFT, 3), 14, k(26));
    c2 = gg(c2, d2, a2, b2, word(RIGHT, 3), 14, k(26));
    b1 = gg(b1, c1, d1, a1, word(LEFT, 8), 20, k(27));
    b2 = gg(b2, c2, d2, a2, word(RIGHT, 8), 20, k(27));
    a1 = gg(a1, b1, c1, d1, word(LEFT, 13), 5, k(28));
    a2 = gg(a2, b2, c2, d2, word(RIGHT, 13), 5, k(28));
    d1 = gg(d1, a1, b1, c1, word(LEFT, 2), 9, k(29));
    d2 = gg(d2, a2, b2, c2, word(RIGHT, 2), 9, k(29));
    c1 = gg(c1, d1, a1, b1, word(LEFT, 7), 14, k(30));
    c2 = gg(c2, d2, a2, b2, word(RIGHT, 7), 14, k(30));
    b1 = gg(b1, c1, d1, a1, word(LEFT, 12), 20, k(31));
    b2 = gg(b2, c2, d2, a2, word(RIGHT, 12), 20, k(31));
    a1 = hh(a1, b1, c1, d1, word(LEFT, 5), 4, k(32));
    a2 = hh(a2, b2, c2, d2, word(RIGHT, 5), 4, k(32));
    d1 = hh(d1, a1, b1, c1, word(LEFT, 8), 11, k(33));
    d2 = hh(d2, a2, b2, c2, word(RIGHT, 8), 11, k(33));
    c1 = hh(c1, d1, a1, b1, word(LEFT, 11), 16, k(34));
    c2 = hh(c2, d2, a2, b2, word(RIGHT, 11), 16, k(34));
    b1 = hh(b1, c1, d1, a1, word(LEFT, 14), 23, k(35));
    b2 = hh(b2, c2, d2, a2, word(RIGHT, 14), 23, k(35));
    a1 = hh(a1, b1, c1, d1, word(LEFT, 1), 4, k(36));
    a2 = hh(a2, b2, c2, d2, word(RIGHT, 1), 4, k(36));
    d1 = hh(d1, a1, b1, c1, word(LEFT, 4), 11, k(37));
    d2 = hh(d2, a2, b2, c2, word(RIGHT, 4), 11, k(37));
    c1 = hh(c1, d1, a1, b1, word(LEFT, 7), 16, k(38));
    c2 = hh(c2, d2, a2, b2, word(RIGHT, 7), 16, k(38));
    b1 = hh(b1, c1, d1, a1, word(LEFT, 10), 23, k(39));
    b2 = hh(b2, c2, d2, a2, word(RIGHT, 10), 23, k(39));
    a1 = hh(a1, b1, c1, d1, word(LEFT, 13), 4, k(40));
    a2 = hh(a2, b2, c2, d2, word(RIGHT, 13), 4, k(40));
    d1 = hh(d1, a1, b1, c1, word(LEFT, 0), 11, k(41));
    d2 = hh(d2, a2, b2, c2, word(RIGHT, 0), 11, k(41));
    c1 = hh(c1, d1, a1, b1, word(LEFT, 3), 16, k(42));
    c2 = hh(c2, d2, a2, b2, word(RIGHT, 3), 16, k(42));
    b1 = hh(b1, c1, d1, a1, word(LEFT, 6), 23, k(43));
    b2 = hh(b2, c2, d2, a2, word(RIGHT, 6), 23, k(43));
    a1 = hh(a1, b1, c1, d1, word(LEFT, 9), 4, k(44));
    a2 = hh(a2, b2, c2, d2, word(RIGHT, 9), 4, k(44));
    d1 = hh(d1, a1, b1, c1, word(LEFT, 12), 11, k(45));
    d2 = hh(d2, a2, b2, c2, word(RIGHT, 12), 11, k(45));
    c1 = hh(c1, d1, a1, b1, word(LEFT, 15), 16, k(46));
    c2 = hh(c2, d2, a2, b2, word(RIGHT, 15), 16, k(46));
    b1 = hh(b1, c1, d1, a1, word(LEFT, 2), 23, k(47));
    b2 = hh(b2, c2, d2, a2, word(RIGHT, 2), 23, k(47));
    a1 = ii(a1, b1, c1, d1, word(LEFT, 0), 6, k(48));
    a2 = ii(a2, b2, c2, d2, word(RIGHT, 0), 6, k(48));
    d1 = ii(d1, a1, b1, c1, word(LEFT, 7), 10, k(49));
    d2 = ii(d2, a2, b2, c2, word(RIGHT, 7), 10, k(49));
    c1 = ii(c1, d1, a1, b1, word(LEFT, 14), 15, k(50));
    c2 = ii(c2, d2, a2, b2, word(RIGHT, 14), 15, k(50));
    b1 = ii(b1, c1, d1, a1, word(LEFT, 5), 21, k(51));
    b2 = ii(b2, c2, d2, a2, word(RIGHT, 5), 21, k(51));
    a1 = ii(a1, b1, c1, d1, word(LEFT, 12), 6, k(52));
    a2 = ii(a2, b2, c2, d2, word(RIGHT, 12), 6, k(52));
    d1 = ii(d1, a1, b1, c1, word(LEFT, 3), 10, k(53));
    d2 = ii(d2, a2, b2, c2, word(RIGHT, 3), 10, k(53));
    c1 = ii(c1, d1, a1, b1, word(LEFT, 10), 15, k(54));
    c2 = ii(c2, d2, a2, b2, word(RIGHT, 10), 15, k(54));
    b1 = ii(b1, c1, d1, a1, word(LEFT, 1), 21, k(55));
    b2 = ii(b2, c2, d2, a2, word(RIGHT, 1), 21, k(55));
    a1 = ii(a1, b1, c1, d1, word(LEFT, 8), 6, k(56));
    a2 = ii(a2, b2, c2, d2, word(RIGHT, 8), 6, k(56));
    d1 = ii(d1, a1, b1, c1, word(LEFT, 15), 10, k(57));
    d2 = ii(d2, a2, b2, c2, word(RIGHT, 15), 10, k(57));
    c1 = ii(c1, d1, a1, b1, word(LEFT, 6), 15, k(58));
    c2 = ii(c2, d2, a2, b2, word(RIGHT, 6), 15, k(58));
    b1 = ii(b1, c1, d1, a1, word(LEFT, 13), 21, k(59));
    b2 = ii(b2, c2, d2, a2, word(RIGHT, 13), 21, k(59));
    a1 = ii(a1, b1, c1, d1, word(LEFT, 4), 6, k(60));
    a2 = ii(a2, b2, c2, d2, word(RIGHT, 4), 6, k(60));
    d1 = ii(d1, a1, b1, c1, word(LEFT, 11), 10, k(61));
    d2 = ii(d2, a2, b2, c2, word(RIGHT, 11), 10, k(61));
    c1 = ii(c1, d1, a1, b1, word(LEFT, 2), 15, k(62));
    c2 = ii(c2, d2, a2, b2, word(RIGHT, 2), 15, k(62));
    b1 = ii(b1, c1, d1, a1, word(LEFT, 9), 21, k(63));
    b2 = ii(b2, c2, d2, a2, word(RIGHT, 9), 21, k(63));
    a1 = i32x4.add(a1, a1Before);
    b1 = i32x4.add(b1, b1Before);
    c1 = i32x4.add(c1, c1Before);
    d1 = i32x4.add(d1, d1Before);
    a2 = i32x4.add(a2, a2Before);
    b2 = i32x4.add(b2, b2Before);
    c2 = i32x4.add(c2, c2Before);
    d2 = i32x4.add(d2, d2Before);
    at += 64;
    blocks--;
  }
  v128.store(state, a1);
  v128.store(state, b1, 16);
  v128.store(state, c1, 32);
  v128.store(state, d1, 48);
  v128.store(state, a2, 64);
  v128.store(state, b2, 80);
  v128.store(state, c2, 96);
  v128.store(state, d2, 112);
}
