// What the tests say of a mutant.
import { runJob } from './vitest-job.mjs';

/** Beginning a run, with others at work on the same processors. */
const BEGIN_MS = 30_000;
const TIMES_SLOWER = 3;

/** The quickest tests that together stay within the seconds; always one. */
function affordable(tests, seconds) {
  let sum = 0;
  return tests.filter(({ ms }, index) => (sum += ms) <= seconds * 1000 || index === 0);
}

/** killed, timeout (which is killed too), survived, no test, or unclear: vitest itself failed. */
export async function verdictOn(mutant, tests, seconds) {
  const chosen = affordable(tests, seconds);
  const counts = { ran: chosen.length, left: tests.length - chosen.length };
  if (chosen.length === 0) return { verdict: 'no test', ...counts };
  const expectedMs = chosen.reduce((sum, { ms }) => sum + ms, 0);
  const limitMs = BEGIN_MS + expectedMs * TIMES_SLOWER;
  const job = { mutant, tests: chosen.map(({ test }) => test), workers: 1, limitMs };
  return runJob(job, limitMs, ({ isInTime, results }) => {
    if (!isInTime) return { verdict: 'timeout', ...counts };
    if (results === undefined) return { verdict: 'unclear', ...counts };
    return { verdict: results.success ? 'survived' : 'killed', ...counts };
  });
}

/**
 * Whether verdicts can be believed, by the quickest test of one mutant: it has to pass with a change that changes nothing, and
 * to fail with one that throws. Without this a fault of the driver looks like a good score.
 */
export async function isTrusted(mutant, tests) {
  const quickest = tests.slice(0, 1);
  const unchanged = await verdictOn({ ...mutant, replacement: mutant.was }, quickest, 0);
  const broken = { ...mutant, start: 0, end: 0, replacement: "throw new Error('a mutant');" };
  const thrown = await verdictOn(broken, quickest, 0);
  return unchanged.verdict === 'survived' && thrown.verdict === 'killed';
}
