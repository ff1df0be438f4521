// `npm run window-tour`: a tour through the real window by a stranger who presses everything.
//   npm run window-tour -- --minutes 10                 a new seed, which is printed
//   npm run window-tour -- --minutes 10 --seed 7        the same choices again
//   npm run window-tour -- --only rules --part visit    only databases whose names match, only the visits
// Pictures of what it found: --pictures DIR (else in the temporary directory). Exits with 1 when it found something.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, root } from './build.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 30)) },
    only: { type: 'string' },
    part: { type: 'string' },
    pictures: { type: 'string' }
  }
});
if (!(Number(values.minutes) > 0) || !/^\d+$/.test(values.seed)) {
  console.error('--minutes must be a number, --seed a whole number.');
  process.exit(2);
}
if (values.part !== undefined && !['visit', 'walk'].includes(values.part)) {
  console.error('--part must be visit or walk.');
  process.exit(2);
}
buildStale('all', { quiet: true });
console.log(`seed ${values.seed}`);
const words = Object.entries(values).flatMap(([name, text]) => [`--${name}`, text]);
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'scripts/electron-runtime.mjs'),
    process.execPath,
    path.join(root, 'test/campaign/window-tour/run.ts'),
    ...words
  ],
  { cwd: root, stdio: 'inherit' }
);
process.exitCode = status === 0 ? 0 : 1;
