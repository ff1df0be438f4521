// MD5 (RFC 1321) of four messages at once, one in each 32-bit lane of a vector. A single MD5 waits for its own last step all
// the time; four of them side by side do not wait for each other. AssemblyScript; `node scripts/make-wasm.mjs` compiles it.

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
function sum(a: v128, m: v128, t: i32): v128 {
  return i32x4.add(a, i32x4.add(m, i32x4.splat(t)));
}

@inline
function ff(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: i32): v128 {
  return step(sum(a, m, t), v128.xor(d, v128.and(b, v128.xor(c, d))), b, s);
}

// (b and d) or (c and not d): no bit is in both, so that one of them can be added early.
@inline
function gg(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: i32): v128 {
  return step(i32x4.add(sum(a, m, t), v128.andnot(c, d)), v128.and(b, d), b, s);
}

@inline
function hh(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: i32): v128 {
  return step(sum(a, m, t), v128.xor(b, v128.xor(c, d)), b, s);
}

@inline
function ii(a: v128, b: v128, c: v128, d: v128, m: v128, s: i32, t: i32): v128 {
  return step(sum(a, m, t), v128.xor(c, v128.or(b, v128.not(d))), b, s);
}

// Hashes `blocks` blocks of 64 bytes of each message into the states at `state`: a, b, c, d, each with four lanes.
export function hashBlocks(state: usize, p0: usize, p1: usize, p2: usize, p3: usize, blocks: i32): void {
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
    a = ff(a, b, c, d, m0, 7, 0xd76aa478);
    d = ff(d, a, b, c, m1, 12, 0xe8c7b756);
    c = ff(c, d, a, b, m2, 17, 0x242070db);
    b = ff(b, c, d, a, m3, 22, 0xc1bdceee);
    a = ff(a, b, c, d, m4, 7, 0xf57c0faf);
    d = ff(d, a, b, c, m5, 12, 0x4787c62a);
    c = ff(c, d, a, b, m6, 17, 0xa8304613);
    b = ff(b, c, d, a, m7, 22, 0xfd469501);
    a = ff(a, b, c, d, m8, 7, 0x698098d8);
    d = ff(d, a, b, c, m9, 12, 0x8b44f7af);
    c = ff(c, d, a, b, m10, 17, 0xffff5bb1);
    b = ff(b, c, d, a, m11, 22, 0x895cd7be);
    a = ff(a, b, c, d, m12, 7, 0x6b901122);
    d = ff(d, a, b, c, m13, 12, 0xfd987193);
    c = ff(c, d, a, b, m14, 17, 0xa679438e);
    b = ff(b, c, d, a, m15, 22, 0x49b40821);
    a = gg(a, b, c, d, m1, 5, 0xf61e2562);
    d = gg(d, a, b, c, m6, 9, 0xc040b340);
    c = gg(c, d, a, b, m11, 14, 0x265e5a51);
    b = gg(b, c, d, a, m0, 20, 0xe9b6c7aa);
    a = gg(a, b, c, d, m5, 5, 0xd62f105d);
    d = gg(d, a, b, c, m10, 9, 0x02441453);
    c = gg(c, d, a, b, m15, 14, 0xd8a1e681);
    b = gg(b, c, d, a, m4, 20, 0xe7d3fbc8);
    a = gg(a, b, c, d, m9, 5, 0x21e1cde6);
    d = gg(d, a, b, c, m14, 9, 0xc33707d6);
    c = gg(c, d, a, b, m3, 14, 0xf4d50d87);
    b = gg(b, c, d, a, m8, 20, 0x455a14ed);
    a = gg(a, b, c, d, m13, 5, 0xa9e3e905);
    d = gg(d, a, b, c, m2, 9, 0xfcefa3f8);
    c = gg(c, d, a, b, m7, 14, 0x676f02d9);
    b = gg(b, c, d, a, m12, 20, 0x8d2a4c8a);
    a = hh(a, b, c, d, m5, 4, 0xfffa3942);
    d = hh(d, a, b, c, m8, 11, 0x8771f681);
    c = hh(c, d, a, b, m11, 16, 0x6d9d6122);
    b = hh(b, c, d, a, m14, 23, 0xfde5380c);
    a = hh(a, b, c, d, m1, 4, 0xa4beea44);
    d = hh(d, a, b, c, m4, 11, 0x4bdecfa9);
    c = hh(c, d, a, b, m7, 16, 0xf6bb4b60);
    b = hh(b, c, d, a, m10, 23, 0xbebfbc70);
    a = hh(a, b, c, d, m13, 4, 0x289b7ec6);
    d = hh(d, a, b, c, m0, 11, 0xeaa127fa);
    c = hh(c, d, a, b, m3, 16, 0xd4ef3085);
    b = hh(b, c, d, a, m6, 23, 0x04881d05);
    a = hh(a, b, c, d, m9, 4, 0xd9d4d039);
    d = hh(d, a, b, c, m12, 11, 0xe6db99e5);
    c = hh(c, d, a, b, m15, 16, 0x1fa27cf8);
    b = hh(b, c, d, a, m2, 23, 0xc4ac5665);
    a = ii(a, b, c, d, m0, 6, 0xf4292244);
    d = ii(d, a, b, c, m7, 10, 0x432aff97);
    c = ii(c, d, a, b, m14, 15, 0xab9423a7);
    b = ii(b, c, d, a, m5, 21, 0xfc93a039);
    a = ii(a, b, c, d, m12, 6, 0x655b59c3);
    d = ii(d, a, b, c, m3, 10, 0x8f0ccc92);
    c = ii(c, d, a, b, m10, 15, 0xffeff47d);
    b = ii(b, c, d, a, m1, 21, 0x85845dd1);
    a = ii(a, b, c, d, m8, 6, 0x6fa87e4f);
    d = ii(d, a, b, c, m15, 10, 0xfe2ce6e0);
    c = ii(c, d, a, b, m6, 15, 0xa3014314);
    b = ii(b, c, d, a, m13, 21, 0x4e0811a1);
    a = ii(a, b, c, d, m4, 6, 0xf7537e82);
    d = ii(d, a, b, c, m11, 10, 0xbd3af235);
    c = ii(c, d, a, b, m2, 15, 0x2ad7d2bb);
    b = ii(b, c, d, a, m9, 21, 0xeb86d391);
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
