import { describe, expect, test } from 'vitest';
import { cellPaths, type CellLook } from '../../../src-renderer/state/chunk-map/cell-paths.ts';
import {
  cellAt,
  cellSize,
  fittingStep,
  layoutMap,
  neighbourLine,
  SIDES
} from '../../../src-renderer/state/chunk-map/map-layout.ts';

const ones = (count: number): number[] => Array.from({ length: count }, () => 1);
const plain: CellLook = { share: 0.5, isScavenged: false, isLeft: false };

describe('the layout of the chunk map', () => {
  test('fills lines from the left and begins the next where a cell would not fit', () => {
    const layout = layoutMap([1, 1, 3, 1], 60, cellSize(18));
    expect([...layout.left]).toEqual([0, 20, 0, 0]);
    expect([...layout.top]).toEqual([0, 0, 20, 40]);
    expect([...layout.width]).toEqual([18, 18, 58, 18]);
    expect(layout.lines).toEqual([0, 2, 3]);
    expect(layout.height).toBe(58);
  });

  test('draws a file of a hundred chunks as wide as one of six', () => {
    const layout = layoutMap([100, 6], 400, cellSize(10));
    expect([...layout.width]).toEqual([70, 70]);
  });

  test('keeps a cell that is wider than the map in a line of its own', () => {
    const layout = layoutMap([1, 6, 1], 20, cellSize(18));
    expect([...layout.top]).toEqual([0, 20, 40]);
  });

  test('shows ten thousand chunks at once, and never draws a short log larger than by choice', () => {
    const step = fittingStep(ones(10_000), 590, 164);
    expect(layoutMap(ones(10_000), 590, cellSize(SIDES[step]!)).height).toBeLessThanOrEqual(164);
    expect(SIDES[step]).toBe(3);
    expect(SIDES[fittingStep(ones(3), 590, 164)]).toBe(18);
    expect(fittingStep(ones(1_000_000), 590, 164)).toBe(0);
  });

  test('has nothing to draw for an empty log', () => {
    const layout = layoutMap([], 500, cellSize(18));
    expect(layout.height).toBe(0);
    expect(cellAt(layout, 5, 5)).toBe(-1);
  });

  test('finds under the middle of each cell that cell, whatever their widths', () => {
    const spans = Array.from({ length: 500 }, (_, index) => 1 + (index % 7));
    for (const side of SIDES) {
      const layout = layoutMap(spans, 333, cellSize(side));
      for (const index of spans.keys()) {
        const x = layout.left[index]! + layout.width[index]! / 2;
        expect(cellAt(layout, x, layout.top[index]! + side / 2)).toBe(index);
      }
      expect(cellAt(layout, 5, layout.height + side)).toBe(-1);
      expect(cellAt(layout, -1, 0)).toBe(-1);
    }
  });

  test('goes to the nearest cell of the line above or below, and stays where there is none', () => {
    const layout = layoutMap([1, 1, 1, 2, 1], 60, cellSize(18));
    expect(layout.lines).toEqual([0, 3]);
    expect(neighbourLine(layout, 2, 1)).toBe(4);
    expect(neighbourLine(layout, 0, 1)).toBe(3);
    expect(neighbourLine(layout, 4, -1)).toBe(2);
    expect(neighbourLine(layout, 1, -1)).toBe(1);
    expect(neighbourLine(layout, 4, 1)).toBe(4);
  });
});

describe('the cells of a long log', () => {
  test('are a few paths, however many there are', () => {
    const layout = layoutMap(ones(10_000), 590, cellSize(3));
    const paths = cellPaths(layout, (index) => ({ ...plain, share: index / 10_000 }));
    expect(paths).toHaveLength(11);
    expect(paths.reduce((cells, { ground }) => cells + ground.split('M').length - 1, 0)).toBe(10_000);
  });

  test('of one look stand in one path, apart from those whose share is not known', () => {
    const looks: CellLook[] = [
      plain,
      { ...plain, share: null },
      { ...plain, isScavenged: true },
      { ...plain, isLeft: true },
      plain
    ];
    const paths = cellPaths(layoutMap(ones(5), 590, cellSize(3)), (index) => looks[index] ?? null);
    expect(paths.map(({ look }) => look)).toEqual(['known', 'unknown', 'known scavenged', 'known left']);
    expect(paths[0]!.ground).toBe('M0 0h3v3h-3zM12 0h3v3h-3z');
  });

  test('are filled from below where they are large enough, and shaded where not', () => {
    const [large] = cellPaths(layoutMap([1], 590, cellSize(18)), () => plain);
    expect(large).toEqual({
      look: 'known',
      share: 0.5,
      ground: 'M0 0h18v18h-18z',
      fill: 'M0 18v-9h18v9z'
    });
    const [small] = cellPaths(layoutMap([1], 590, cellSize(3)), () => plain);
    expect(small).toMatchObject({ share: 0.5, fill: '' });
  });

  test('leave out what is drawn by itself', () => {
    const paths = cellPaths(layoutMap(ones(3), 590, cellSize(4)), (index) => (index === 1 ? null : plain));
    expect(paths.map(({ ground }) => ground)).toEqual(['M0 0h4v4h-4zM10 0h4v4h-4z']);
  });
});
