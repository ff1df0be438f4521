/** What the window says when something is wrong: a directory in use, a database that is damaged or gone, a dead engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { inStudio, type Album } from './studio.ts';

export async function takeStates(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ window, page, home, show, take }) => {
    const data = path.join(home, 'samples', 'sample');
    const holder = spawn(
      'flock',
      ['--no-fork', '--exclusive', path.join(data, 'writer.chk'), 'sh', '-c', 'echo held; exec sleep 600'],
      { stdio: ['ignore', 'pipe', 'inherit'] }
    );
    try {
      await once(holder.stdout, 'data');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText(/^It is open in/).waitFor();
      await take('in-use');
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('read-only', { exact: true }).waitFor({ state: 'detached' });

    await window.app.evaluate(({ app }) => {
      const engine = app.getAppMetrics().find((metric) => metric.name === 'Winnow engine');
      if (engine) process.kill(engine.pid, 'SIGKILL');
    });
    await page.getByText('The engine has stopped').waitFor();
    await take('engine-ended');
    await page.getByRole('button', { name: 'Restart engine' }).click();
    await page.getByText('The engine has stopped').waitFor({ state: 'detached' });

    renameSync(data, `${data}-away`);
    mkdirSync(data);
    await show('Overview');
    await page.getByRole('alert').first().waitFor();
    await take('database-gone');
  });
}
