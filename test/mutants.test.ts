/** The small changes that `npm run mutants` makes, and how it knows which tests could notice one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutantsOf } from '../scripts/mutants/mutants-of.mjs';
import { entryOf, readList, withoutListed } from '../scripts/mutants/no-difference.mjs';
import {
  affordable,
  bodiesByFile,
  digestOf,
  marked,
  sources,
  testsReaching
} from '../scripts/mutants/reach.mjs';

const SOURCE = `import { a } from './a.ts';
export async function read(count: number, isWhole: true): Promise<boolean> {
  if (count < 2) return false;
  await a.flush();
  const text = 'at ' + count;
  return [1].some((one) => !a.has(one + 1));
}
const limit = 2 * 3;
`;

function changed({ start, end, replacement }: { start: number; end: number; replacement: string }): string {
  return SOURCE.slice(0, start) + replacement + SOURCE.slice(end);
}

it('a mutant is one change of what the code does, not of its types or its texts', () => {
  const mutants = mutantsOf('src-core/some.ts', SOURCE);
  expect(mutants.map(({ line, was, replacement }) => `${line}: ${was} => ${replacement}`)).toEqual([
    '3: count < 2 => true',
    '3: count < 2 => false',
    '3: < => <=',
    '3: < => >=',
    '3: false => true',
    '4: await a.flush(); => ;',
    '6: ! => ',
    '6: + => -',
    '8: * => /'
  ]);
  expect(changed(mutants[2]!)).toBe(SOURCE.replace('count < 2', 'count <= 2'));
  expect(mutants.map(({ body }) => body)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, undefined]);
});

it('marks leave every line where it was, and say which function was called', () => {
  const file = sources[1]!;
  const text = marked(file, SOURCE);
  expect(text.split('\n').length).toBe(SOURCE.split('\n').length);
  const marks = [...text.matchAll(/winnowMarks\[(\d+)\]=1;/g)].map(([, mark]) => Number(mark));
  expect(bodiesByFile(marks)).toEqual({ [file]: [-1, 0] });
});

it('internal checks are left out: no input reaches their other side', () => {
  const text = 'function f(a: number) {\n  assert(a < 2, "small");\n  g(a);\n}\n';
  expect(mutantsOf('src-core/some.ts', text).map(({ was }) => was)).toEqual(['g(a);']);
});

const body = (text: string) => ({ [sources[1]!]: [Number(text)] });
const LOADED = { [sources[1]!]: [-1] };

function measured(
  digest: string,
  tests: Record<string, { ms: number; cpuMs: number; reached: Record<string, number[]> }>
) {
  return {
    digest: '',
    sources: { [sources[1]!]: digest },
    outside: LOADED,
    tests
  };
}

describe('the tests of a mutant', () => {
  const file = sources[1]!;
  const folder = file.split('/')[1]!;
  const named = (digest: string) => ({
    tests: {
      'test/core/elsewhere/quick.test.ts': measured(digest, {
        'calls it': { ms: 7, cpuMs: 10, reached: body('0') },
        'calls another': { ms: 7, cpuMs: 5, reached: body('3') }
      }),
      [`test/core/${folder}/near.test.ts`]: measured(digest, {
        'calls it too': { ms: 7, cpuMs: 20, reached: body('0') }
      }),
      'test/core/elsewhere/fails.test.ts': { ...measured(digest, {}), hasFailed: true }
    }
  });
  const namesOf = (digest: string, number: number | undefined): string[] =>
    testsReaching({ file, body: number }, named(digest)).flatMap(({ tests }) =>
      tests.map(({ name }) => name)
    );

  it('are those that call its function, those of its own folder first', () => {
    expect(namesOf(digestOf(file), 0)).toEqual(['calls it too', 'calls it']);
    expect(namesOf(digestOf(file), 3)).toEqual(['calls another']);
  });

  it('are all tests of a file that calls it outside of its tests, such as when it is loaded', () => {
    expect(namesOf(digestOf(file), undefined)).toEqual(['calls it too', 'calls another', 'calls it']);
  });

  it('are those that call any of a source that has changed since', () => {
    expect(namesOf('another', 7)).toEqual(['calls it too', 'calls another', 'calls it']);
  });

  it('are as many as the time allows, and at least one', () => {
    const found = testsReaching({ file, body: undefined }, named(digestOf(file)));
    const namesIn = (seconds: number) =>
      affordable(found, seconds).batches.flatMap(({ files }) => files.flatMap(({ names }) => names));
    expect(namesIn(1)).toEqual(['calls it too', 'calls another', 'calls it']);
    expect(namesIn(0.33)).toEqual(['calls it too', 'calls another']);
    expect(namesIn(0)).toEqual(['calls it too']);
    expect(affordable(found, 0).left).toBe(2);
  });

  it('run together, the quick ones first: a change that never ends is known soon', () => {
    const withCost = (test: string, ...costs: number[]) => ({
      test,
      tests: costs.map((cpuMs, index) => ({ name: `${test} ${index}`, ms: cpuMs, cpuMs }))
    });
    const found = [withCost('a', 500, 1000), withCost('b', 800), withCost('c', 2000), withCost('d', 7000)];
    const { batches } = affordable(found, 60);
    expect(batches.map(({ files }) => files.map(({ test }) => test).join())).toEqual(['a,b', 'c,d']);
    expect(batches.map(({ cpuMs }) => cpuMs)).toEqual([2600, 9300]);
  });
});

describe('the list of mutants that make no difference', () => {
  const file = 'src-core/some.ts';
  const [first, second] = mutantsOf(file, SOURCE);

  it('finds them again when lines were added above, and not when the line itself changed', () => {
    const list = [entryOf(first!, SOURCE)];
    const moved = `// A comment.\n${SOURCE}`;
    const left = withoutListed(mutantsOf(file, moved), new Map([[file, moved]]), list);
    expect(left.map(({ replacement }) => replacement)[0]).toBe(second!.replacement);
    const changedLine = SOURCE.replace('count < 2', 'count < 3');
    const all = mutantsOf(file, changedLine);
    expect(withoutListed(all, new Map([[file, changedLine]]), list)).toEqual(all);
  });

  it('names mutants that there are, each once and with its reason', () => {
    const list = readList();
    const byFile = Map.groupBy(list, (entry) => entry.file);
    for (const [name, entries] of byFile) {
      const text = readFileSync(path.join(import.meta.dirname, '..', name), 'utf8');
      const all = mutantsOf(name, text);
      expect
        .soft(all.length - withoutListed(all, new Map([[name, text]]), entries).length, name)
        .toBe(entries.length);
    }
    expect(list.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});
