// A process that runs test files against one mutant after the other, or with marks. Vitest stays loaded with all that it has
// transformed: a mutant costs the transformation of one file, not a start. A test file has a process of its own all the same.
// The driver ends the whole group when a test does not come to an end.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createVitest } from 'vitest/node';
import { root } from '../build.mjs';
import { marked } from './reach.mjs';

const source = path.join(root, 'src-core') + path.sep;
const withMarks = process.env.WINNOW_MUTANT_MARKS !== undefined;
const noOutput = () => new Writable({ write: (_, __, done) => done() });
/** The file that is changed, and its whole changed text: the file itself may be edited meanwhile. */
let mutant;

function changed(name, code) {
  if (withMarks) return marked(name, code);
  return name === mutant?.file ? mutant.text : code;
}

const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    watch: false,
    environment: 'node',
    // Kept modules would be those of another mutant.
    fsModuleCache: false,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/built-threads.ts', ...(withMarks ? ['scripts/mutants/reach-setup.mjs'] : [])],
    bail: withMarks ? 0 : 1,
    maxWorkers: 1,
    testTimeout: Number(process.env.WINNOW_MUTANT_LIMIT_MS),
    hookTimeout: Number(process.env.WINNOW_MUTANT_LIMIT_MS),
    silent: true,
    reporters: [{}]
  },
  {
    plugins: [
      {
        name: 'winnow-mutant',
        enforce: 'pre',
        transform(code, id) {
          if (!id.startsWith(source) || !id.endsWith('.ts')) return;
          // Read again: what vite hands over may have passed another plugin.
          const text = readFileSync(id, 'utf8');
          return { code: changed(path.relative(root, id).split(path.sep).join('/'), text), map: null };
        }
      }
    ]
  },
  process.env.WINNOW_MUTANT_SHOW ? {} : { stdout: noOutput(), stderr: noOutput() }
);
await vitest.standalone();

function change(next) {
  for (const file of new Set([mutant?.file, next?.file])) {
    if (file === undefined) continue;
    vitest.invalidateFile(path.join(root, file));
    vitest.watcher.invalidates.add(path.join(root, file));
  }
  mutant = next;
}

/** One test file, or the tests of it that have these names. */
async function run({ mutant: next, test, names }) {
  change(next);
  const file = path.join(root, test);
  const options = names === undefined ? undefined : { testNames: names };
  const specification = vitest.getRootProject().createSpecification(file, options);
  const result = await vitest.runTestSpecifications([specification]);
  const { unhandledErrors } = result;
  // Those of earlier runs are given as well.
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === file);
  const tests = testModules
    .flatMap((module) => [...module.children.allTests()])
    .map((one) => ({
      name: one.fullName,
      state: one.result().state,
      ms: one.diagnostic()?.duration ?? 0
    }));
  const isLoaded = testModules.length > 0 && testModules.every((module) => module.errors().length === 0);
  // Names that no test has would say killed of each mutant.
  if (isLoaded && unhandledErrors.length === 0 && !tests.some(({ state }) => state !== 'skipped')) {
    throw new Error(`${test} has none of these tests: ${names}`);
  }
  const ok = isLoaded && testModules.every((module) => module.ok());
  return { ok: ok && unhandledErrors.length === 0, tests };
}

process.on('message', async (job) => {
  try {
    process.send({ ...(await run(job)), isDone: true });
  } catch (error) {
    process.send({ isDone: true, failure: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ isReady: true });
