import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { inAscii } from '../scripts/ascii-plugin.ts';

describe('Code that is written in ASCII', () => {
  it.each([
    ["'Größe – 5 µs'", 'Größe – 5 µs'],
    ['`beyond the first plane: 😀`', 'beyond the first plane: 😀'],
    ["/^[äöü]+$/.test('öäü')", true],
    ["/^.😀$/u.test('a😀')", true],
    ['({ größe: 1 }).größe', 1]
  ])('means the same: %s', (code, value) => {
    const written = inAscii(code);
    expect(written).toMatch(/^[\0-\x7f]*$/);
    expect(runInNewContext(written)).toBe(value);
  });

  it('is refused where an escape would be another text', () => {
    expect(() => inAscii('String.raw`Größe`')).toThrow('Cannot be written in ASCII: String.raw`Größe`');
    expect(inAscii("String.raw`\\d` + 'ß'")).toBe("String.raw`\\d` + '\\u00df'");
  });
});
