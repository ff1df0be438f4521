import { describe, expect, test } from 'vitest';
import { NameMap } from '../../../src-core/bundle/name-map.ts';
import { withTextOf } from '../../../src-core/bundle/name-bytes.ts';
import { KeyedText } from '../../../src-core/bundle/keyed-text.ts';
import { SYSTEM_TYPES } from '../../../src-core/bundle/system-names.ts';
import { Prng } from '../../support/prng.ts';

const key = Buffer.alloc(32, 7);
const names = new NameMap(key);
const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

const PIECES = [
  ...'abzAZ09-._:/@ $',
  '$$',
  '$ce-',
  '$et-',
  '$projections-',
  '-result',
  '-order',
  '-emittedstreams',
  '-checkpoint',
  '$persistentsubscription-',
  '::',
  '$user-',
  '$scavenges-',
  'é',
  'ж',
  '中',
  '語',
  '\ue000',
  '\ufffd',
  '😀',
  '\u0007',
  '$settings',
  '$streams',
  '$by_category',
  '$metadata',
  '$>',
  'order',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
];

function randomName(prng: Prng): string {
  return Array.from({ length: 1 + prng.below(4) }, () => prng.pick(PIECES)).join('');
}

describe('names of a bundle', () => {
  test('have as many bytes, and no two become the same', () => {
    const seed = 1;
    const prng = new Prng(seed);
    for (const [what, map] of [
      ['stream', (name: string) => names.stream(name)],
      ['type', (name: string) => names.eventType(name)]
    ] as const) {
      const byReplaced = new Map<string, string>();
      for (let i = 0; i < 15_000; i++) {
        const name = randomName(prng);
        const replaced = map(name);
        expect(bytesOf(replaced), `${what} ${JSON.stringify(name)}, seed ${seed}`).toBe(bytesOf(name));
        expect(byReplaced.get(replaced) ?? name, `${what} ${JSON.stringify(replaced)}`).toBe(name);
        byReplaced.set(replaced, name);
      }
    }
  });

  test('of one, two and three letters are all there again, each once', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
    const one = letters.map((a) => names.stream(a));
    expect([...one].sort()).toEqual([...letters].sort());
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    expect(pairs.map((pair) => names.stream(pair)).sort()).toEqual([...pairs].sort());
    const some = [...'abc019'];
    const threes = letters.flatMap((a) => letters.flatMap((b) => some.map((c) => a + b + c)));
    expect(new Set(threes.map((name) => names.stream(name))).size).toBe(threes.length);
  });

  test('keep what rules and projections look at', () => {
    const order = names.stream('order-17');
    const [category] = order.split('-');
    expect(order).not.toContain('order');
    expect(names.stream('order-18').split('-')[0]).toBe(category);
    expect(names.stream('order')).toBe(category);
    expect(names.stream('$$order-17')).toBe(`$$${order}`);
    expect(names.stream('$$$ce-order')).toBe(`$$$ce-${category}`);
    expect(names.stream('$ce-order')).toBe(`$ce-${category}`);
    expect(names.stream('$et-OrderPlaced')).toBe(`$et-${names.eventType('OrderPlaced')}`);
    expect(names.stream('$user-jane')).toBe(`$user-${names.role('jane')}`);
    for (const kept of ['$all', '$settings', '$scavenges', '$scavengePoints', '$$$settings', '$streams'])
      expect(names.stream(kept)).toBe(kept);
    const run = '$scavenges-3f2504e0-4f89-11d3-9a0c-0305e82c3301';
    expect(names.stream(run)).toBe(run);
    expect(names.stream('$projections-$by_category-result')).toBe('$projections-$by_category-result');
    expect(names.stream('$projections-totals-result')).toMatch(/^\$projections-[a-zA-Z0-9]{6}-result$/);
    expect(names.stream('$persistentsubscription-order-17::billing-parked')).toMatch(
      new RegExp(`^\\$persistentsubscription-${order}::[a-zA-Z0-9]{7}-parked$`)
    );
    for (const type of SYSTEM_TYPES) expect(names.eventType(type)).toBe(type);
    for (const role of ['$all', '$admins', '$ops']) expect(names.role(role)).toBe(role);
  });

  test('of what the server counts keep their beginning', () => {
    for (const head of ['$bc-', '$stats-']) {
      const replaced = names.stream(`${head}db.acme.com:2113`);
      expect(replaced.slice(0, head.length)).toBe(head);
      expect(replaced).not.toContain('acme');
      expect(bytesOf(replaced)).toBe(bytesOf(`${head}db.acme.com:2113`));
    }
  });

  test('are told once more, and become the same, when very many others came between', () => {
    const told: string[] = [];
    const map = new NameMap(key, (_kind, name) => told.push(name));
    const first = map.stream('orders');
    // Names that stay as they are take no time.
    const run = (i: number) => `$scavenges-3f2504e0-4f89-11d3-9a0c-${String(i).padStart(12, '0')}`;
    for (let i = 0; i < 65_535; i++) map.stream(run(i));
    expect(map.stream('orders')).toBe(first);
    expect(told.filter((name) => name === 'orders')).toHaveLength(1);
    map.stream('one more');
    expect(map.stream('orders')).toBe(first);
    expect(told.filter((name) => name === 'orders')).toHaveLength(2);
  });

  test('follow from the key and nothing else', () => {
    expect(new NameMap(key).stream('order-17')).toBe(names.stream('order-17'));
    const other = new NameMap(Buffer.alloc(32, 8));
    expect(other.stream('order-17')).not.toBe(names.stream('order-17'));
    expect(other.fingerprint).not.toBe(names.fingerprint);
  });

  test('that are no valid UTF-8 are read as one name when they were', () => {
    const tails = [
      [0xff],
      [0xfe],
      [0xc3],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98],
      [0xed, 0xa0, 0x80],
      [0xef, 0xbf, 0xbd]
    ];
    for (const tail of tails) {
      for (const [head, end] of [
        ['order-', ''],
        ['', 'x'],
        ['é', '-中']
      ] as const) {
        const bytes = Buffer.concat([Buffer.from(head), Buffer.from(tail), Buffer.from(end)]);
        const wanted = names.stream(bytes.toString('utf8'));
        const length = bytes.length;
        names.replaceStream(bytes, 0, bytes.length);
        expect(bytes.length).toBe(length);
        expect(bytes.toString('utf8'), `${tail.join()} in ${head}…${end}`).toBe(wanted);
      }
    }
  });

  test('ids become others, each another one, and never an empty one', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const id = Buffer.alloc(16);
      id.writeUInt32LE(i, 0);
      names.replaceId(id, 0);
      expect(id.equals(Buffer.alloc(16))).toBe(false);
      seen.add(id.toString('hex'));
    }
    expect(seen.size).toBe(2000);
  });

  test('texts are permuted within their pattern', () => {
    const text = new KeyedText(key);
    const prng = new Prng(3);
    for (let i = 0; i < 2000; i++) {
      const name = randomName(prng);
      const replaced = text.permute(name, 'x');
      const shape = (of: string): string => of.replaceAll(/[a-zA-Z0-9]/g, 'w').replaceAll(/[^ -~]/g, '?');
      expect(shape(replaced).length).toBe(shape(name).length);
      expect(replaced.replaceAll(/[a-zA-Z0-9]/g, '').replaceAll(/[^ -~]/g, '')).toBe(
        name.replaceAll(/[a-zA-Z0-9]/g, '').replaceAll(/[^ -~]/g, '')
      );
    }
  });
});

test('a character that stands for invalid bytes is told from them where both are in a name', () => {
  const bytes = Buffer.concat([Buffer.from('a\ufffdb'), Buffer.of(0xff), Buffer.from('\ufffd')]);
  const asked: string[] = [];
  const before = Buffer.from(bytes);
  withTextOf(bytes, 0, bytes.length, (text) => {
    asked.push(text);
    return text;
  });
  expect(asked).toEqual(['a\ufffdb\ufffd\ufffd']);
  expect(bytes).toEqual(before);
});

test.each([[[0xe2]], [[0xe2, 0x82]], [[0xf0]], [[0xf0, 0x90, 0x80]]])(
  'a name that ends within a character (%j) keeps its bytes, and what follows it stays',
  (cut) => {
    const bytes = Buffer.from([0x61, 0x62, ...cut, 0x7a, 0x7a, 0x7a]);
    const end = 2 + cut.length;
    const before = bytes.toString('utf8', 0, end);
    withTextOf(bytes, 0, end, (text) => `cd${text.slice(2)}`);
    expect(bytes.toString('utf8', 0, end)).toBe(`cd${before.slice(2)}`);
    expect(bytes.toString('utf8', end)).toBe('zzz');
  }
);
