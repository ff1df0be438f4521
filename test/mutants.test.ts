/** The small changes that `npm run mutants` makes, and how it knows which tests could notice one. */
import { expect, it } from 'vitest';
import { mutantsOf } from '../scripts/mutants/mutants-of.mjs';
import { bodiesByFile, digestOf, marked, sources, testsReaching } from '../scripts/mutants/reach.mjs';

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

it('the tests of a mutant are those that call its function, the quickest first, and of a changed file all that call any of it', () => {
  const file = sources[1]!;
  const tests = {
    'test/mutants.test.ts': { ms: 20, reached: { [file]: [-1, 0, 3] } },
    'test/proof.test.ts': { ms: 10, reached: { [file]: [-1, 3] } },
    'test/architecture.test.ts': { ms: 5, reached: { [file]: [-1] } }
  };
  const names = (body: number, digest: string): string[] =>
    testsReaching({ file, body }, { digests: { [file]: digest }, tests }).map(({ test }) => test);
  expect(names(3, digestOf(file))).toEqual(['test/proof.test.ts', 'test/mutants.test.ts']);
  expect(names(0, digestOf(file))).toEqual(['test/mutants.test.ts']);
  expect(names(0, 'another')).toEqual(['test/proof.test.ts', 'test/mutants.test.ts']);
});
