import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const tokens = readFileSync('src-renderer/tokens.css', 'utf8');

/** Colours of one theme, as `light-dark(#…, #…)` names them. */
function coloursOf(theme: 'light' | 'dark'): Map<string, string> {
  const colours = new Map<string, string>();
  for (const [, name, light, dark] of tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
    colours.set(name!, (theme === 'light' ? light : dark)!);
  }
  for (const [, name, other] of tokens.matchAll(/--([\w-]+): var\(--([\w-]+)\);/g)) {
    const colour = colours.get(other!);
    if (colour !== undefined) colours.set(name!, colour);
  }
  return colours;
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const colours = coloursOf(theme);
  const grounds = ['ground', 'surface', 'raised', 'sunken'];
  const inks = ['text', 'text-quiet', 'accent', 'live', 'removable', 'freed', 'damage', 'unknown'];

  test.each(inks.flatMap((ink) => grounds.map((ground) => [ink, ground])))(
    'writes %s on %s at 4.5 to 1 or better',
    (ink, ground) => {
      expect(contrast(colours.get(ink)!, colours.get(ground)!)).toBeGreaterThanOrEqual(4.5);
    }
  );

  test.each([
    ['text', 'selected'],
    ['text', 'hover'],
    ['text', 'field-light'],
    ['text', 'damage-ground'],
    ['text', 'caution-ground'],
    ['text-quiet', 'selected'],
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong']
  ])('writes %s on %s at 4.5 to 1 or better', (ink, ground) => {
    expect(contrast(colours.get(ink)!, colours.get(ground)!)).toBeGreaterThanOrEqual(4.5);
  });

  test('tells live from removable and both from the ground as areas at 2 to 1 or better', () => {
    const area = (name: string): string => colours.get(name)!;
    for (const name of ['live-area', 'removable-area']) {
      expect(contrast(area(name), area('surface'))).toBeGreaterThanOrEqual(2);
    }
  });
});

test('no colour is named outside the tokens', () => {
  const files = globSync('src-renderer/**/*.{svelte,css}').filter((file) => !file.endsWith('tokens.css'));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => /#[0-9a-f]{3,8}\b/i.test(styleOf(file)))).toEqual([]);
});

function styleOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.css') ? text : (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? '');
}

test('the window is painted in the ground of the theme before the page is there', () => {
  const window = readFileSync('src-main/window/main-window.ts', 'utf8');
  for (const theme of ['light', 'dark'] as const) {
    expect(window).toContain(`${theme}: '${coloursOf(theme).get('ground')}'`);
  }
});
