/** The pictures of growth from given figures, and the document that shows them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDocument } from '../../../scripts/bench/figure-document.mjs';
import { growthPictures } from '../../../scripts/bench/growth-pictures.mjs';
import { growthPoints } from '../../../scripts/bench/growth.mjs';
import { done, growthFigures, runOf } from './figures-of-a-run.ts';

const GIB = 2 ** 30;
const parts = {
  'size:512MiB': done(growthFigures(GIB / 2, 100_000, 1)),
  'size:2GiB': done(growthFigures(2 * GIB, 100_000, 4)),
  'size:8GiB': done(growthFigures(8 * GIB, 100_000, 16, null))
};
const { time, memory } = growthPictures(growthPoints(parts, 'size'), 'size');

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

describe('a picture of growth', () => {
  test('names each line and each point of its axis', () => {
    const texts = textsOf(time);
    expect(texts).toContain('Time against size of the log');
    for (const series of ['whole scavenge', 'accumulation', 'index rebuild', 'first reading', 'plan']) {
      expect(texts.filter((text) => text === series)).toHaveLength(1);
    }
    for (const size of ['512 MiB', '2.0 GiB', '8.0 GiB', '1 s', '10 s']) expect(texts).toContain(size);
  });

  test('leaves out of the memory what has no memory of its own', () => {
    expect(textsOf(memory)).not.toContain('accumulation');
    expect(textsOf(memory)).toContain('0 MiB');
  });

  test('has colours for light and dark and a background of its own', () => {
    for (const svg of [time, memory]) {
      expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      expect(svg).toContain('@media (prefers-color-scheme: dark)');
      expect(svg).toMatch(/<rect width="760" height="420" fill="var\(--ground\)">/);
      expect(svg).not.toContain('NaN');
    }
  });

  test('keeps labels apart whose lines end at the same height', () => {
    const labels = time.slice(time.indexOf('<g aria-label="text"'));
    const heights = [...labels.matchAll(/<text[^>]* transform="translate\(([\d.]+),([\d.]+)\)"/g)].map(
      ([, x, y]) => ({ x: Number(x), y: Number(y) })
    );
    const last = Math.max(...heights.map(({ x }) => x));
    const column = heights.filter(({ x }) => x === last).sort((a, b) => a.y - b.y);
    expect(column.length).toBe(8);
    column.slice(1).forEach(({ y }, i) => expect(y - column[i]!.y).toBeGreaterThan(14));
  });
});

describe('the document', () => {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'winnow-figures-'));
  });
  afterEach(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  const mark = (name: string, text: string) =>
    `<!-- figures: ${name} -->${text}<!-- end of figures: ${name} -->`;

  test('gets tables and pictures between its marks and keeps everything else', async () => {
    const out = path.join(scratch, 'performance.md');
    const names = ['machine', 'growth-size', 'answers'];
    const before = names.map((name) => `by hand\n\n${mark(name, '\n\nold\n\n')}\n`).join('\n');
    writeFileSync(out, before);
    await writeDocument({ figures: runOf(parts), out, pictures: path.join(scratch, 'pictures') });
    const after = readFileSync(out, 'utf8');
    expect(after.match(/by hand/g)).toHaveLength(3);
    expect(after).toContain('![Time against the size of the log](pictures/size-time.svg)');
    expect(after).toContain(mark('answers', '\n\nold\n\n'));
    expect(after.match(/old/g)).toHaveLength(1);
    expect(readdirSync(path.join(scratch, 'pictures')).sort()).toEqual(['size-memory.svg', 'size-time.svg']);
  });

  test('stays as it is if a figure has no place in it', async () => {
    const out = path.join(scratch, 'performance.md');
    writeFileSync(out, mark('growth-size', ''));
    await expect(writeDocument({ figures: runOf(parts), out, pictures: scratch })).rejects.toThrow(
      'The document has no place for the figures "machine".'
    );
    expect(readFileSync(out, 'utf8')).toBe(mark('growth-size', ''));
  });

  test('of the project has a place for every table', async () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const text = readFileSync(path.join(root, 'docs/performance.md'), 'utf8');
    const names = ['machine', 'scavenge', 'server', 'threads', 'answers', 'growth-size', 'growth-streams'];
    for (const name of [...names, 'backup', 'start']) {
      expect(text).toMatch(
        new RegExp(`^<!-- figures: ${name} -->$[^]*^<!-- end of figures: ${name} -->$`, 'm')
      );
    }
  });
});
