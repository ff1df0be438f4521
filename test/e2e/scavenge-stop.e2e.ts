/**
 * A scavenge in the window that is stopped and resumed by its buttons, while every frame that the page draws is
 * recorded. How long frames take is measured by `npm run bench -- window-scavenge`: here it would only say how busy
 * the machine is.
 */
import type { ElectronApplication } from 'playwright-core';
import { recordFrames, recordedFrames, summaryOf } from './frame-recorder.ts';
import { expect, test } from './fixtures.ts';

/** What the window asks when it is to be closed; answered with keeping it open, which is the safe answer. */
async function askedBeforeClosing(app: ElectronApplication): Promise<string> {
  const question = await app.evaluate(async ({ BrowserWindow, dialog }) => {
    const asked = Promise.withResolvers<string>();
    dialog.showMessageBox = ((_window: unknown, box: { message: string }) => {
      asked.resolve(box.message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
    BrowserWindow.getAllWindows()[0]!.close();
    return asked.promise;
  });
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  return question;
}

test('a scavenge is stopped, resumed and finished, and the history tells of it', async ({ sample }) => {
  const { app, page, show } = sample;

  await test.step('a plan that has not been made yet is not offered, and no scavenge is known of', async () => {
    await show('Scavenge');
    await expect(page.getByText(/^No scavenge of this database is recorded/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  });

  await test.step('a scavenge draws its progress, outlives a question to close, a stop and a reload, and is finished', async () => {
    // Rests between its steps give the test time to stop it in the middle: at full speed all of it takes a third of a
    // second. A slower speed rests longer than a test may take when a machine needs seconds for what comes before.
    await page.getByLabel('Speed', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await recordFrames(page);
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    const run = page.getByRole('region', { name: 'Run', exact: true });
    await expect(page.locator('li[aria-current=step]', { hasText: 'Chunk execution' })).toBeVisible();
    await expect(run.getByText(/freed and safe on disk$/)).toBeVisible();
    await expect(run.getByText(/^\d+ \/ \d+ chunks$/)).toHaveCount(1);
    expect(await askedBeforeClosing(app)).toBe('Scavenge sample is still running');
    await run.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('heading', { name: 'Paused' })).toBeVisible();
    await page.getByRole('button', { name: 'Resume scavenge' }).click();
    await expect(page.locator('li[aria-current=step]', { hasText: 'Chunk execution' })).toBeVisible();
    await run.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText('The scavenge was stopped.')).toBeVisible();
    const { frames, medianMs } = summaryOf(await recordedFrames(page));
    expect(frames).toBeGreaterThan(10);
    expect(medianMs).toBeGreaterThan(0);
    await expect(page.getByText('A running server holds this directory')).toHaveCount(0);

    await page.getByRole('button', { name: 'Resume scavenge' }).click();
    await expect(run).toBeVisible();
    // What is stopped before it has begun its work is no run of the history.
    await expect(page.locator('li[aria-current=step]', { hasText: 'Chunk execution' })).toBeVisible();
    await page.reload();
    // The page is where it was, and follows the work that went on meanwhile. It kept its options, so it is slow again,
    // until another speed is set while it runs.
    await expect(page.getByRole('tab', { name: 'Scavenge', selected: true })).toBeVisible();
    const speed = run.getByLabel('Speed now');
    await expect(speed).toHaveValue('5');
    await speed.fill('100');
    await speed.press('Enter');
    await expect(speed).toHaveValue('100');
    await expect(page.getByText('The scavenge is complete.')).toBeVisible();
    await expect(page.getByText('A running server holds this directory')).toHaveCount(0);
    await expect(page.getByText('There is an unfinished scavenge')).toHaveCount(0);
  });

  await test.step('the history tells of the stopped runs and of what went on with them, in a chart and a table', async () => {
    const rows = page.getByRole('grid', { name: 'Scavenge history' }).getByRole('row');
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0)).toHaveText(/done, resumed an earlier one/, { useInnerText: true });
    await expect(rows.nth(1)).toHaveText(/stopped, resumed an earlier one/, { useInnerText: true });
    await expect(rows.nth(3)).toHaveText(/stopped/, { useInnerText: true });
    await expect(
      page.getByRole('img', { name: /^Bytes freed by each scavenge/ }).locator('rect')
    ).toHaveCount(4);
  });

  await test.step('a second plan frees nothing, says so, and offers to write no point', async () => {
    await page
      .getByRole('navigation', { name: 'Steps of the scavenge' })
      .getByRole('button', { name: 'Options' })
      .click();
    await page.getByRole('button', { name: /^Make the plan/ }).click();
    await expect(page.getByText('This scavenge would free nothing.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Only write a scavenge point…' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Do not write a point' }).click();
    await expect(page.getByText('This scavenge would free nothing.')).toHaveCount(0);
  });
});
