/**
 * The whole tour, in one Electron window after the other: a round through every database, then a walk without aim on
 * copies of a sample until the time is up. Prints what it finds as it finds it; the exit code says whether it did.
 */
import { mkdtempSync, rmSync, chmodSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { removeUnpacked } from '../../support/golden.ts';
import { AnswerTimes } from './answer-times.ts';
import { makeSample, tourDatabases, type TourDatabase } from './tour-databases.ts';
import { TourWindow, type Fault } from './tour-window.ts';
import { visitViews } from './visit-views.ts';
import { walk } from './walk.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    pictures: { type: 'string', default: path.join(tmpdir(), 'winnow-window-tour') },
    part: { type: 'string', default: 'both' }
  }
});
const seed = Number(values.seed);
const endMs = performance.now() + Number(values.minutes) * 60_000;
/** The list of nodes would grow beyond what anybody has. */
const DATABASES_PER_WINDOW = 8;
const STEPS_SHARE = values.part === 'visit' ? 1 : values.part === 'walk' ? 0 : 0.6;
const visitEndMs = performance.now() + Number(values.minutes) * 60_000 * STEPS_SHARE;

const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-tour-'));
const faults: Fault[] = [];
const answers = new AnswerTimes();
let visited = 0;
let looks = 0;
let steps = 0;

async function inWindow(run: (tour: TourWindow) => Promise<void>): Promise<void> {
  const tour = await TourWindow.launch(values.pictures, answers);
  try {
    await run(tour);
  } catch (error) {
    await tour.found(`the tour could not go on: ${String(error).slice(0, 600)}`);
  } finally {
    looks += tour.looks;
    faults.push(...tour.faults);
    await tour.close();
  }
}

async function visit(tour: TourWindow, database: TourDatabase, number: number): Promise<void> {
  const parent = mkdtempSync(path.join(scratch, 'visit-'));
  const directory = await database.make(parent);
  tour.where = database.name;
  const startedMs = performance.now();
  try {
    if (await tour.open(directory))
      await visitViews(tour, {
        name: database.name,
        seed: seed + number,
        afterSome: () => database.meanwhile?.(directory)
      });
    visited++;
  } finally {
    if (existsSync(directory)) chmodSync(directory, 0o700);
    rmSync(parent, { recursive: true, force: true });
    removeUnpacked();
  }
  console.log(`${database.name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}

try {
  const all = tourDatabases().filter(({ name }) => new RegExp(values.only).test(name));
  for (let first = 0; first < all.length && performance.now() < visitEndMs; first += DATABASES_PER_WINDOW) {
    await inWindow(async (tour) => {
      for (const [index, database] of all.slice(first, first + DATABASES_PER_WINDOW).entries()) {
        if (performance.now() > visitEndMs) return;
        await visit(tour, database, first + index);
      }
    });
  }
  for (let number = 0; values.part !== 'visit' && performance.now() < endMs; number++) {
    await inWindow(async (tour) => {
      const parent = mkdtempSync(path.join(scratch, 'walk-'));
      const directory = await makeSample(parent, '2MiB');
      await tour.open(directory);
      const reopen = async () => void (await tour.open(directory));
      // A new window from time to time: what one has been through must not hide what another would show.
      const until = Math.min(endMs, performance.now() + 180_000);
      steps += await walk(tour, { seed: seed + number, endMs: until, reopen });
    });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(
  `seed ${seed}: ${visited} databases, ${looks} looks, ${steps} steps of walking, ${faults.length} faults`
);
answers.tell();
for (const fault of faults) {
  console.log(`FAULT at ${fault.where}: ${fault.what}`);
  for (const step of fault.steps) console.log(`    ${step}`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
