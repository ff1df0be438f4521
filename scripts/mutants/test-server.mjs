// A process that runs test files against one mutant after the other, or with marks. Vitest stays loaded with all that it has
// transformed: a mutant costs the transformation of one file, not a start. The files of one run share a process, as they do in
// `npm test` (docs/decisions/0063); the next run has another. The driver ends the whole group when a test does not come to an end.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { BaseSequencer, createVitest } from 'vitest/node';
import { root } from '../build.mjs';
import { marked } from './reach.mjs';

const source = path.join(root, 'src-core') + path.sep;
const withMarks = process.env.WINNOW_MUTANT_MARKS !== undefined;
const noOutput = () => new Writable({ write: (_, __, done) => done() });

/** The files of a run come in the order that it gives: those that are likely to notice first. */
class AsGiven extends BaseSequencer {
  sort(specifications) {
    return Promise.resolve(specifications);
  }
}

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
    isolate: false,
    sequence: { sequencer: AsGiven },
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

/** Test files, or the tests of them that have these names, one file after the other. */
async function run({ mutant: next, files }) {
  change(next);
  const project = vitest.getRootProject();
  const specifications = files.map(({ test, names }) =>
    project.createSpecification(path.join(root, test), names === undefined ? undefined : { testNames: names })
  );
  const result = await vitest.runTestSpecifications(specifications);
  const { unhandledErrors } = result;
  // Those of earlier runs are given as well.
  const asked = new Set(specifications.map(({ moduleId }) => moduleId));
  const testModules = result.testModules.filter(({ moduleId }) => asked.has(moduleId));
  const tests = testModules.flatMap((module) =>
    [...module.children.allTests()].map((one) => ({
      test: path.relative(root, module.moduleId).split(path.sep).join('/'),
      name: one.fullName,
      state: one.result().state,
      ms: one.diagnostic()?.duration ?? 0
    }))
  );
  const isLoaded = testModules.length > 0 && testModules.every((module) => module.errors().length === 0);
  // Names that no test has would say killed of each mutant.
  if (isLoaded && unhandledErrors.length === 0 && !tests.some(({ state }) => state !== 'skipped')) {
    throw new Error(`Of these tests there is none: ${JSON.stringify(files)}`);
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
