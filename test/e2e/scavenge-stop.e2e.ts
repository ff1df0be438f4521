/**
 * A scavenge in the window that is stopped and resumed by its buttons, while every frame that the page draws is
 * recorded. How long frames take is measured by `npm run bench -- window-scavenge`: here it would only say how busy
 * the machine is.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFrames, recordedFrames, summaryOf } from './frame-recorder.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
});
afterAll(() => window.close());

/** What the window asks when it is to be closed; answered with keeping it open, which is the safe answer. */
async function askedBeforeClosing(): Promise<string> {
  const { app } = window;
  const question = await app.evaluate(async ({ BrowserWindow, dialog }) => {
    const asked = Promise.withResolvers<string>();
    dialog.showMessageBox = ((_window: unknown, box: { message: string }) => {
      asked.resolve(box.message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
    BrowserWindow.getAllWindows()[0]!.close();
    return asked.promise;
  });
  await soon(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  return question;
}

test('a plan that has not been made yet is not offered, and no scavenge is known of', async () => {
  const { page, show } = window;
  await show('Scavenge');
  await page.getByText(/^No scavenge of this database is recorded/).waitFor();
  await soon(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
});

test('a scavenge draws its progress, outlives a question to close, a stop and a reload, and is finished', async () => {
  const { page } = window;
  // Rests between its steps give the test time to stop it in the middle.
  await page.getByLabel('Speed', { exact: true }).fill('25');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click({ timeout: 60_000 });
  await recordFrames(page);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await page.locator('li[aria-current=step]', { hasText: 'Chunk execution' }).waitFor({ timeout: 60_000 });
  await run.getByText(/freed and safe on disk$/).waitFor({ timeout: 60_000 });
  await soon(() => run.getByText(/^\d+ \/ \d+ chunks$/).count()).toBe(1);
  expect(await askedBeforeClosing()).toBe('Scavenge sample is still running');
  await run.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The scavenge was stopped.').waitFor({ timeout: 30_000 });
  const { frames, medianMs } = summaryOf(await recordedFrames(page));
  expect(frames).toBeGreaterThan(10);
  expect(medianMs).toBeGreaterThan(0);
  await soon(() => page.getByText('A running server holds this directory').count()).toBe(0);

  await page.getByRole('button', { name: 'Resume scavenge' }).click({ timeout: 30_000 });
  await run.waitFor();
  // What is stopped before it has begun its work is no run of the history.
  await page.locator('li[aria-current=step]', { hasText: 'Chunk execution' }).waitFor({ timeout: 60_000 });
  await page.reload();
  // The page is where it was, and follows the work that went on meanwhile. It kept its options, so it is slow again,
  // until another speed is set while it runs.
  await page.getByRole('tab', { name: 'Scavenge', selected: true }).waitFor();
  const speed = run.getByLabel('Speed now');
  await soon(() => speed.inputValue()).toBe('25');
  await speed.fill('100');
  await speed.press('Enter');
  await soon(() => speed.inputValue()).toBe('100');
  await page.getByText('The scavenge is complete.').waitFor({ timeout: 60_000 });
  await soon(() => page.getByText('A running server holds this directory').count()).toBe(0);
  await soon(() => page.getByText('There is an unfinished scavenge').count()).toBe(0);
}, 240_000);

test('the history tells of the stopped runs and of what went on with them, in a chart and a table', async () => {
  const { page } = window;
  const rows = page.getByRole('grid', { name: 'Scavenge history' }).getByRole('row');
  await soon(() => rows.count()).toBe(3);
  await soon(() => rows.nth(0).innerText()).toMatch(/done, resumed an earlier one/);
  await soon(() => rows.nth(1).innerText()).toMatch(/stopped, resumed an earlier one/);
  await soon(() => rows.nth(2).innerText()).toMatch(/stopped/);
  await soon(() =>
    page
      .getByRole('img', { name: /^Bytes freed by each scavenge/ })
      .locator('rect')
      .count()
  ).toBe(3);
});

test('a second plan frees nothing, says so, and offers to write no point', async () => {
  const { page } = window;
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await page.getByText('This scavenge would free nothing.').waitFor({ timeout: 60_000 });
  await soon(() => page.getByRole('button', { name: 'Only write a scavenge point…' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Do not write a point' }).click();
  await page.getByText('This scavenge would free nothing.').waitFor({ state: 'detached' });
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
