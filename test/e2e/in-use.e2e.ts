import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

/** A server that stops or starts is seen within three seconds; as much again for a machine that is busy. */
const SEEN_WITHIN_MS = 6000;

let window: ElectronWindow;
let directory: string;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
  directory = path.join(window.home, 'samples', 'sample');
  await window.close({ keepHome: true });
});
afterAll(() => window.close());

/** A process that holds a lock on writer.chk the way a running server does, until it is killed. */
async function holdLock(kind: '--exclusive' | '--shared'): Promise<ChildProcess> {
  const file = path.join(directory, 'writer.chk');
  const holder = spawn('flock', ['--no-fork', kind, file, 'sh', '-c', 'echo held; exec sleep 120'], {
    stdio: ['ignore', 'pipe', 'inherit']
  });
  await once(holder.stdout, 'data');
  return holder;
}

describe.each(['--exclusive', '--shared'] as const)('a directory held with %s', (kind) => {
  test('opens read-only, says by whom, and is free again by itself when the server stops', async () => {
    const holder = await holdLock(kind);
    window = await launchWindow({ home: window.home, words: [directory] });
    const { page } = window;
    try {
      await page.getByText(`It is open in sleep (process ${holder.pid}).`).waitFor();
      await soon(() => page.getByText('read-only', { exact: true }).count()).toBe(1);
      // What the window before has computed is remembered: then it is computed again.
      await page.getByRole('button', { name: /^Compute (the plan|again)$/ }).click();
      await page.getByRole('button', { name: 'Show the plan' }).click({ timeout: 60_000 });
      await soon(() => page.getByRole('button', { name: /^Remove/ }).isDisabled()).toBe(true);
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
    // Nobody asks for it, and no file has changed.
    await page
      .getByText('read-only', { exact: true })
      .waitFor({ state: 'detached', timeout: SEEN_WITHIN_MS });
    const next = await holdLock(kind);
    try {
      await page.getByText('read-only', { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS });
      await page.getByText(`It is open in sleep (process ${next.pid}).`).waitFor();
    } finally {
      next.kill();
      await once(next, 'exit');
    }
    await page
      .getByText('read-only', { exact: true })
      .waitFor({ state: 'detached', timeout: SEEN_WITHIN_MS });
    await window.close({ keepHome: true });
  });
});
