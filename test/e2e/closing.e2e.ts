/**
 * Starts and ends of a real window: a second start opens its directory in the window that is there, a minimised one comes
 * back, and "Stop and close" ends with a window that is closed, also when the engine hears nothing any more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureElectron, extraArgs } from '../../scripts/electron-runtime.mjs';
import { expect, test } from './fixtures.ts';

/** Starts the application again on the same home, from another directory; resolves with its exit code. */
async function startAgain({
  home,
  words,
  cwd
}: {
  home: string;
  words: string[];
  cwd: string;
}): Promise<unknown> {
  const { ELECTRON_RUN_AS_NODE: _runAsNode, NODE_OPTIONS: _nodeOptions, ...env } = process.env;
  const application = path.resolve(process.env['WINNOW_APPLICATION'] ?? '.');
  const child = spawn(await ensureElectron(), [application, ...words, ...extraArgs()], {
    cwd,
    env: { ...env, WINNOW_HOME: home },
    stdio: 'ignore'
  });
  const [code] = (await once(child, 'exit')) as [unknown];
  return code;
}

test('a second start brings the window back and opens its directory there, relative to where it was started', async ({
  sample
}) => {
  const { app, page, home } = sample;
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  // From here on nothing is clicked: a hidden window may not draw, and a click waits for a frame.
  await app.evaluate(({ BrowserWindow }) => {
    const [own] = BrowserWindow.getAllWindows();
    own!.minimize();
    own!.hide();
  });
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible()))
    .toBe(false);
  expect(await startAgain({ home, words: ['sample'], cwd: path.join(home, 'samples') })).toBe(0);
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible()))
    .toBe(true);
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((own) => own.isMinimized()))
  ).toEqual([false]);
  await expect(page.getByRole('heading', { name: /never scavenged/ })).toBeVisible();
});

test('"Stop and close" ends a run that does not stop, says so, and closes; the next run resumes', async ({
  sample,
  openWindow
}) => {
  const { app, page, show } = sample;
  await show('Scavenge');
  await page.getByLabel('Speed', { exact: true }).fill('25');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(page.locator('li[aria-current=step]', { hasText: 'Chunk execution' })).toBeVisible();
  const engine = await app.evaluate(
    ({ app: own }) => own.getAppMetrics().find((one) => one.name === 'Winnow engine')?.pid
  );
  // As a process that waits for a disk: it hears nothing, not even that it is to end.
  process.kill(engine!, 'SIGSTOP');
  const said = await app.evaluate(async ({ BrowserWindow, dialog }) => {
    const boxes: string[] = [];
    const told = Promise.withResolvers<void>();
    const isRead = Promise.withResolvers<{ response: number; checkboxChecked: boolean }>();
    Object.assign(globalThis, { isRead });
    dialog.showMessageBox = ((_window: unknown, box: { message: string; detail: string }) => {
      boxes.push(`${box.message}. ${box.detail}`);
      if (boxes.length === 2) told.resolve();
      // The box that tells stays until it has been read here.
      return boxes.length === 1 ? Promise.resolve({ response: 1, checkboxChecked: false }) : isRead.promise;
    }) as typeof dialog.showMessageBox;
    BrowserWindow.getAllWindows()[0]!.close();
    await told.promise;
    return boxes;
  });
  expect(said[0]).toMatch(/^Scavenge sample is still running/);
  expect(said[1]).toMatch(/^Scavenge sample did not stop within 20 seconds and was ended.*resumes there/);
  const exited = once(app.process(), 'exit');
  await app
    .evaluate(() => {
      const { isRead } = globalThis as unknown as {
        isRead: PromiseWithResolvers<{ response: number; checkboxChecked: boolean }>;
      };
      isRead.resolve({ response: 0, checkboxChecked: false });
    })
    .catch(() => undefined); // it may have ended before it answers
  expect(await exited).toEqual([0, null]);

  const next = await openWindow();
  await next.page
    .getByRole('button', { name: /sample/ })
    .first()
    .click();
  await next.show('Scavenge');
  await next.page.getByRole('button', { name: 'Resume scavenge' }).click();
  await expect(next.page.getByText('The scavenge is complete.')).toBeVisible();
});
