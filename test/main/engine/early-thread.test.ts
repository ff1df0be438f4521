/** A thread that starts before anyone asks for it is taken once, and one that has ended by then is none. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMANDS } from '../../../src-main/cli/command-table.ts';
import { startEarlyThread, takeEarlyThread, WITH_ENGINE } from '../../../src-main/engine/early-thread.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-early-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function script(name: string, text: string): URL {
  const file = path.join(directory, `${name}.mjs`);
  writeFileSync(file, text);
  return pathToFileURL(file);
}

it('is taken once, and answers', async () => {
  const echo = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (m) => parentPort.postMessage(m));`;
  startEarlyThread(script('echo', echo));
  const thread = takeEarlyThread()!;
  expect(takeEarlyThread()).toBeUndefined();
  thread.postMessage('hello');
  expect(await once(thread, 'message')).toEqual(['hello']);
  await thread.terminate();
});

it.each([
  { how: 'by an error', text: 'throw new Error("broken");' },
  { how: 'by itself', text: '' }
])('that has ended $how before it is taken is none', async ({ how, text }) => {
  const thread = startEarlyThread(script(how.replaceAll(' ', '-'), text));
  thread.ref();
  await new Promise((resolve) => thread.once('exit', resolve));
  expect(takeEarlyThread()).toBeUndefined();
});

it('is started for commands that there are', () => {
  for (const name of WITH_ENGINE) expect(Object.keys(COMMANDS)).toContain(name);
});
