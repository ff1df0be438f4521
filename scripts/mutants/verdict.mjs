// What the tests say of a mutant.
import { affordable } from './reach.mjs';

/** Loading, with others at work on the same processors. */
const BEGIN_MS = 20_000;
const TIMES_SLOWER = 4;

/** Tests by file and name that pass alone, without a change: what they say of a mutant they say of it and of nothing else. */
const passAlone = new Map();

async function passesAlone(runs, test, name) {
  const key = `${test} ${name}`;
  if (!passAlone.has(key)) {
    const result = await runs.run({ files: [{ test, names: [name] }] }, BEGIN_MS * TIMES_SLOWER);
    passAlone.set(key, result?.ok === true);
  }
  return passAlone.get(key);
}

/** How a run of some tests ended: passed, killed (by which test), timeout or unclear. */
async function outcomeOf(runs, mutant, { files, ms }) {
  const result = await runs.run({ mutant, files }, BEGIN_MS + ms * TIMES_SLOWER);
  if (result === undefined) return { outcome: 'timeout', by: files[0].test };
  if (result.failure !== undefined) return { outcome: 'unclear', by: result.failure };
  if (result.ok) return { outcome: 'passed' };
  const failed = result.tests.find(({ state }) => state === 'failed');
  return { outcome: 'killed', by: failed?.test ?? files[0].test, name: failed?.name };
}

/**
 * What a batch says. A test that fails alone without a change needs those before it: then its whole file says it, and after
 * that the rest of the batch.
 */
async function outcomeOfBatch(runs, mutant, { files, ms }) {
  for (let rest = files; rest.length > 0;) {
    const ended = await outcomeOf(runs, mutant, { files: rest, ms });
    const { outcome, by, name } = ended;
    if (outcome !== 'killed' || name === undefined || (await passesAlone(runs, by, name))) return ended;
    const whole = await outcomeOf(runs, mutant, { files: [{ test: by }], ms: ms + BEGIN_MS });
    if (whole.outcome !== 'passed') return whole;
    rest = rest.slice(rest.findIndex(({ test }) => test === by) + 1);
  }
  return { outcome: 'passed' };
}

/**
 * Of a changed source, its file and its text: killed, timeout (which is killed too), survived, no test, or unclear: vitest
 * itself failed.
 */
export async function verdictOn(runs, mutant, found, seconds) {
  const { batches, left } = affordable(found, seconds);
  let ran = 0;
  for (const batch of batches) {
    ran += batch.files.reduce((sum, { names }) => sum + names.length, 0);
    const { outcome, by, name } = await outcomeOfBatch(runs, mutant, batch);
    if (outcome !== 'passed') return { verdict: outcome, ran, left, by, name };
  }
  return { verdict: batches.length === 0 ? 'no test' : 'survived', ran, left };
}

/**
 * Whether verdicts can be believed, by the first test of one mutant: it has to pass with a change that changes nothing, to fail
 * with one that throws, and to pass again. Without this a fault of the driver looks like a good score.
 */
export async function isTrusted(runs, { file, text }, found) {
  const first = [{ ...found[0], tests: found[0].tests.slice(0, 1) }];
  const same = { file, text };
  const broken = { file, text: `throw new Error('a mutant');${text}` };
  const verdicts = [];
  for (const one of [same, broken, same]) verdicts.push((await verdictOn(runs, one, first, 0)).verdict);
  return verdicts.join() === 'survived,killed,survived';
}
