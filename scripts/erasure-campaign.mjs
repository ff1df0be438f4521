// `npm run erasure-campaign`: erasure reports of random databases against a search of all their bytes.
//   npm run erasure-campaign                                   100 databases of a new seed, which is printed
//   npm run erasure-campaign -- --seed 7 --databases 1         one database again
// Exits with 1 when a report and the bytes disagree.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' }, databases: { type: 'string' } } });
const seed = values.seed ?? String(randomInt(2 ** 30));
const databases = values.databases ?? '100';
if (![seed, databases].every((text) => /^\d+$/.test(text))) {
  console.error('--seed and --databases must be whole numbers.');
  process.exit(2);
}
console.log(`seed ${seed}, ${databases} databases`);
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--project', 'scenarios', 'test/scenarios/erasure/random-databases.test.ts']
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ERASURE_SEED: seed, ERASURE_DATABASES: databases } }
);
process.exitCode = status === 0 ? 0 : 1;
