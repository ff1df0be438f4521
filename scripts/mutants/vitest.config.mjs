// How tests run against a mutant, and how they run once to say which functions of src-core each of them calls. Source files stay
// as they are: the change is made where vitest loads them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { marked } from './reach.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const job = JSON.parse(readFileSync(process.env.WINNOW_MUTANT_JOB, 'utf8'));
const source = path.join(root, 'src-core') + path.sep;

function changed(name, code) {
  if (!job.mutant) return marked(name, code);
  const { file, start, end, replacement } = job.mutant;
  return name === file ? code.slice(0, start) + replacement + code.slice(end) : code;
}

/** In the order of the job: the quickest first, so that most mutants are dead within a second. */
class InOrder extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => job.tests.indexOf(path.relative(root, moduleId).split(path.sep).join('/'));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  root,
  plugins: [
    {
      name: 'winnow-mutant',
      enforce: 'pre',
      transform(code, id) {
        if (!id.startsWith(source) || !id.endsWith('.ts')) return;
        return { code: changed(path.relative(root, id).split(path.sep).join('/'), code), map: null };
      }
    }
  ],
  test: {
    environment: 'node',
    // Kept modules would be those of another job: its change, its marks, or none.
    fsModuleCache: false,
    include: job.tests,
    setupFiles: ['test/support/built-threads.ts', ...(job.mutant ? [] : ['scripts/mutants/reach-setup.mjs'])],
    sequence: { sequencer: InOrder },
    bail: job.mutant ? 1 : 0,
    maxWorkers: job.workers,
    testTimeout: job.limitMs,
    silent: true,
    reporters: ['json'],
    outputFile: job.results
  }
});
