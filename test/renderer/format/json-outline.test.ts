/** The lines of a JSON tree: strict about what JSON is, exact about how it is written, without recursion. */
import { expect, it } from 'vitest';
import { JsonOutline } from '../../../src-renderer/format/json-outline.ts';

function outlineOf(...texts: string[]): JsonOutline {
  const outline = new JsonOutline();
  texts.forEach((text, index) => {
    for (const _ of outline.add({ title: `part ${index}`, text }));
  });
  return outline;
}

const linesOf = (outline: JsonOutline): string[] =>
  Array.from({ length: outline.count }, (_, line) => {
    const value = outline.isContainer(line)
      ? `${outline.kindOf(line)} of ${outline.membersOf(line)}`
      : outline.excerptOf(line);
    return `${'  '.repeat(outline.depthOf(line))}${outline.nameOf(line)}: ${value}`;
  });

it('has a line for each value, with its name or its place', () => {
  expect(linesOf(outlineOf('{"a":{"b":[1,"x"]},"c":null}', '[true]'))).toEqual([
    'part 0: object of 2',
    '  a: object of 1',
    '    b: array of 2',
    '      0: 1',
    '      1: "x"',
    '  c: null',
    'part 1: array of 1',
    '  0: true'
  ]);
});

it('keeps the digits of numbers and names that are repeated', () => {
  const outline = outlineOf('{"n":9007199254740993,"n":1.00}');
  expect(linesOf(outline).slice(1)).toEqual(['  n: 9007199254740993', '  n: 1.00']);
  expect(outline.pretty(0)).toBe('{\n  "n": 9007199254740993,\n  "n": 1.00\n}');
});

it.each([
  '{}',
  '[]',
  '"text"',
  '-1.5e+10',
  ' [ ] ',
  '{"a":{},"b":[],"c":[[],{}],"d":"\\"{},[]:\\\\"}',
  '[{"a":[1,2,{"b":null}]},[[["deep"]]]]',
  '"\\u00e9\\ud83d\\ude00"'
])('formats %s as JSON.stringify does', (text) => {
  const outline = outlineOf(text);
  expect(JSON.parse(outline.pretty(0))).toEqual(JSON.parse(text));
  if (!text.includes('\\') && !text.includes('e+'))
    expect(outline.pretty(0)).toBe(JSON.stringify(JSON.parse(text), null, 2));
});

const NOT_JSON = [
  '',
  '{',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  "{'a':1}",
  '[1 2]',
  '[1}',
  '01',
  '1.',
  '+1',
  'nul',
  'truefalse',
  '"\n"',
  '"\\x"',
  '"\\u12g4"',
  '"open',
  '{"a"}',
  '{"a":}',
  '1 2',
  '\ufeff{}',
  ']'
];
it.each(NOT_JSON)('calls %j not JSON, as JSON.parse does', (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  const outline = outlineOf('[1]', text);
  expect(outline.parts[1]?.problem).toBe('notJson');
  expect(linesOf(outline)).toEqual(['part 0: array of 1', '  0: 1']);
});

it('reads a text that is nested as deep as it is long', () => {
  const outline = outlineOf('['.repeat(300_000) + ']'.repeat(300_000));
  expect(outline.count).toBe(300_000);
  expect(outline.endOf(0)).toBe(300_000);
});

it('says when there are more values than a list can show', () => {
  expect(outlineOf(`[${'0,'.repeat(1_600_000)}0]`).parts[0]).toMatchObject({
    problem: 'tooLong',
    from: 0,
    to: 0
  });
}, 30_000);

it('agrees with JSON.parse on random texts', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"b\\n"', '1', '-2.5', 'true', 'null', ' ', '"'];
  let jsons = 0;
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + random(7) }, () => pieces[random(pieces.length)]).join('');
    let parsed: { value: unknown } | undefined;
    try {
      parsed = { value: JSON.parse(text) as unknown };
    } catch {
      parsed = undefined;
    }
    const outline = outlineOf(text);
    expect(outline.parts[0]?.problem, text).toBe(parsed ? null : 'notJson');
    if (parsed) expect(JSON.parse(outline.pretty(0)), text).toEqual(parsed.value);
    jsons += parsed ? 1 : 0;
  }
  expect(jsons).toBeGreaterThan(500);
});

it('tells paths and values to be copied', () => {
  const outline = outlineOf('{"items":[{"a b":"x\\ny"}],"n":1.0}');
  const at = (name: string): number => linesOf(outline).findIndex((line) => line.trim().startsWith(name));
  expect(outline.pathOf(0)).toBe('$');
  expect(outline.pathOf(at('a b'))).toBe('$.items[0]["a b"]');
  expect(outline.valueOf(at('a b'))).toBe('x\ny');
  expect(outline.valueOf(at('n'))).toBe('1.0');
  expect(outline.valueOf(at('items'))).toBe('[\n  {\n    "a b": "x\\ny"\n  }\n]');
});

it('finds text in names and in values as people read them', () => {
  const outline = outlineOf('{"Name":"Caf\\u00e9","n":{"deep":12345}}');
  const found = (text: string): number[] =>
    Array.from({ length: outline.count }, (_, line) => line).filter((line) => outline.holds(line, text));
  expect(found('café')).toEqual([1]);
  expect(found('name')).toEqual([1]);
  expect(found('234')).toEqual([3]);
  expect(found('deep')).toEqual([3]);
});
