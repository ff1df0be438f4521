// What the browser's own tracing says of the page: the longest tasks of its main thread. Recorded by Electron's
// content tracing in the main process, since a page cannot trace itself.
import { readFileSync, rmSync } from 'node:fs';

const CATEGORIES = ['toplevel', '__metadata'];
const TASK = /RunTask$/;

export async function startTrace(app) {
  await app.evaluate(
    ({ contentTracing }, included_categories) => contentTracing.startRecording({ included_categories }),
    CATEGORIES
  );
}

/**
 * Ends the recording: the tasks of the page's main thread, each with how long it took and how much of that the processor
 * worked for it (null where the system does not count it), in ms, the longest first. On a machine that others use a task waits
 * in its middle; its processor time says what the page itself is to blame for.
 */
export async function endTrace(app) {
  const file = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording());
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file, { force: true });
  const mainThreads = new Set(
    traceEvents
      .filter(({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`)
  );
  return traceEvents
    .filter(({ ph, name, pid, tid }) => ph === 'X' && TASK.test(name) && mainThreads.has(`${pid}.${tid}`))
    .map(({ dur, tdur }) => ({ ms: dur / 1000, processorMs: tdur === undefined ? null : tdur / 1000 }))
    .sort((a, b) => b.ms - a.ms);
}
