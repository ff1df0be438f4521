import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from './fixtures.ts';

/** A server that stops or starts is seen within three seconds; as much again for a machine that is busy. */
const SEEN_WITHIN_MS = 6000;

/** A process that holds a lock on writer.chk the way a running server does, until it is killed. */
async function holdLock(directory: string, kind: string): Promise<ChildProcess> {
  const file = path.join(directory, 'writer.chk');
  const holder = spawn('flock', ['--no-fork', kind, file, 'sh', '-c', 'echo held; exec sleep 120'], {
    stdio: ['ignore', 'pipe', 'inherit']
  });
  await once(holder.stdout, 'data');
  return holder;
}

for (const kind of ['--exclusive', '--shared']) {
  test(`a directory held with ${kind} opens read-only, says by whom, and is free again by itself when the server stops`, async ({
    sampleDirectory: directory,
    openWindow
  }) => {
    const holder = await holdLock(directory, kind);
    const { page } = await openWindow({ words: [directory] });
    try {
      await expect(page.getByText(`It is open in sleep (process ${holder.pid}).`)).toBeVisible();
      await expect(page.getByText('read-only', { exact: true })).toHaveCount(1);
      await page.getByRole('button', { name: 'Compute the plan' }).click();
      await page.getByRole('button', { name: 'Show the plan' }).click();
      await expect(page.getByRole('button', { name: /^Remove/ })).toBeDisabled();
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
    // Nobody asks for it, and no file has changed.
    await expect(page.getByText('read-only', { exact: true })).toHaveCount(0, { timeout: SEEN_WITHIN_MS });
    const next = await holdLock(directory, kind);
    try {
      await expect(page.getByText('read-only', { exact: true })).toBeVisible({ timeout: SEEN_WITHIN_MS });
      await expect(page.getByText(`It is open in sleep (process ${next.pid}).`)).toBeVisible();
    } finally {
      next.kill();
      await once(next, 'exit');
    }
    await expect(page.getByText('read-only', { exact: true })).toHaveCount(0, { timeout: SEEN_WITHIN_MS });
  });
}
