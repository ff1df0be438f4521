import { describe, expect, test } from 'vitest';
import {
  clockWarnings,
  furthestOfEachNode,
  inOrder,
  LAST_GENERATION,
  nextGeneration,
  type OrderedBackup
} from '../../../src-core/backup/backup-order.ts';
import { judgeRetention } from '../../../src-core/backup/retention.ts';

const NODE = {
  address: null,
  dataDirectory: '/data',
  indexDirectory: '/data/index',
  serverVersion: null,
  role: null,
  cluster: null,
  wasInUse: false
};
const NONE = { chaser: 0, epoch: null, proposal: null, truncate: null, index: null, filter: null };

/** `day`: of January 2026. `epochs`: a letter for each, `abc` and `abd` have forked at the third. */
function backup(
  id: string,
  facts: {
    day: number;
    writer?: number;
    basedOn?: string;
    generation?: number;
    epochs?: string;
    tag?: string;
  }
): OrderedBackup {
  const { day, writer = 0, basedOn, generation, epochs = 'a', tag = '1' } = facts;
  return {
    id,
    basedOn: basedOn ?? null,
    generation: generation ?? null,
    startedAt: new Date(Date.UTC(2026, 0, day)).toISOString().replace('Z', '0000Z'),
    epochs: [...epochs].map((name, number) => ({ number, position: number * 100, id: name })).reverse(),
    checkpoints: { ...NONE, writer },
    databaseTag: tag,
    node: NODE
  };
}

/** All orders in which a target may list them. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

function expectOrder(backups: readonly OrderedBackup[], expected: string): void {
  for (const listed of orders(backups)) {
    expect(
      inOrder(listed)
        .map(({ id }) => id)
        .join('')
    ).toBe(expected);
  }
}

describe('the order of backups', () => {
  test('is that of their generations, whatever the dates', () => {
    expectOrder(
      [
        backup('a', { day: 9, generation: 1, writer: 300 }),
        backup('b', { day: 30, generation: 2, writer: 200 }),
        backup('c', { day: 1, generation: 3, writer: 100 })
      ],
      'abc'
    );
  });

  test('is that of parents and positions where no generation was written', () => {
    expectOrder(
      [
        backup('a', { day: 2, writer: 100 }),
        backup('b', { day: 31, writer: 200 }),
        backup('c', { day: 3, writer: 200, basedOn: 'b' }),
        backup('d', { day: 1, writer: 300 })
      ],
      'abcd'
    );
  });

  test('is that of the clock between two branches of a forked history', () => {
    expectOrder(
      [
        backup('a', { day: 1, writer: 200, epochs: 'ab' }),
        backup('b', { day: 2, writer: 900, epochs: 'abc' }),
        backup('c', { day: 3, writer: 300, epochs: 'abd' }),
        backup('d', { day: 4, writer: 400, epochs: 'abd' })
      ],
      'abcd'
    );
  });

  test('is that of positions where no epochs are known, for one node only', () => {
    const early = backup('a', { day: 2, writer: 10, epochs: '' });
    expectOrder([early, backup('b', { day: 1, writer: 20, epochs: '' })], 'ab');
    expectOrder([early, backup('b', { day: 1, writer: 20, epochs: '', tag: '2' })], 'ba');
  });

  test('puts backups of older programs before those with a generation, and children after their parents', () => {
    expectOrder(
      [
        backup('a', { day: 30, writer: 100 }),
        backup('b', { day: 1, generation: 1, writer: 200 }),
        backup('c', { day: 1, basedOn: 'b', writer: 300 })
      ],
      'abc'
    );
  });

  test('exists even where forged manifests contradict each other', () => {
    const forged = [
      backup('a', { day: 1, basedOn: 'c', writer: 1 }),
      backup('b', { day: 2, basedOn: 'a', writer: 0 }),
      backup('c', { day: 3, basedOn: 'b', writer: 2 })
    ];
    for (const listed of orders(forged)) expect(inOrder(listed)).toHaveLength(3);
  });

  test('gives the next backup a generation of its own, also after one that claims the last', () => {
    expect(nextGeneration([])).toBe(1);
    expect(nextGeneration([backup('a', { day: 1 }), backup('b', { day: 1, generation: 7 })])).toBe(8);
    expect(nextGeneration([backup('a', { day: 1, generation: Number.MAX_SAFE_INTEGER })])).toBe(
      LAST_GENERATION
    );
  });
});

describe('after a node was restored', () => {
  const forked = [
    backup('a', { day: 1, generation: 1, writer: 200, epochs: 'ab' }),
    backup('b', { day: 2, generation: 2, writer: 900, epochs: 'abc', basedOn: 'a' }),
    backup('c', { day: 3, generation: 3, writer: 300, epochs: 'abd' }),
    backup('d', { day: 4, generation: 4, writer: 400, epochs: 'abd', basedOn: 'c' })
  ];

  test('the backup of the new history is the newest, and the longest of the lost one is kept too', () => {
    const verdicts = judgeRetention(forked, { last: 1, daily: 0, weekly: 0, monthly: 0 });
    expect(verdicts.filter(({ isKept }) => isKept)).toEqual([
      { id: 'b', isKept: true, rules: ['position'] },
      { id: 'd', isKept: true, rules: ['last'] }
    ]);
  });

  test('each node has a furthest backup of its own', () => {
    const other = backup('e', { day: 1, writer: 5, tag: '2' });
    expect(furthestOfEachNode(inOrder([...forked, other])).map(({ id }) => id)).toEqual(['e', 'b']);
  });
});

describe('a clock that ran backwards', () => {
  const now = '2026-01-10T00:00:00.0000000Z';

  test('is named where it happened, and not again for each later backup', () => {
    const backups = [
      backup('a', { day: 5, generation: 1 }),
      backup('b', { day: 2, generation: 2 }),
      backup('c', { day: 3, generation: 3 }),
      backup('d', { day: 6, generation: 4 })
    ];
    expect(clockWarnings(backups, now).map(({ message }) => message.slice(0, 40))).toEqual([
      'The backup b was taken after a but is da'
    ]);
  });

  test('is named where the last backup is dated after the present time', () => {
    expect(clockWarnings([backup('a', { day: 11 })], now)).toMatchObject([{ code: 'clockRanBackwards' }]);
    expect(clockWarnings([backup('a', { day: 9 })], now)).toEqual([]);
  });

  test('is not told of two nodes whose clocks differ', () => {
    expect(clockWarnings([backup('a', { day: 5 }), backup('b', { day: 4, tag: '2' })], now)).toEqual([]);
  });
});
