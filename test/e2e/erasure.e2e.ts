/** An erasure report made in a real window: places of a stream, the saved page and document, and a stream that is not there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

test.use({ sampleSize: 'usual' });

test('what is left of streams is listed, saved, compared with a second look, and printed', async ({
  sample
}) => {
  const { app, page, show, home } = sample;

  await test.step('the places of a stream are listed with their remedies, and saved', async () => {
    await show('Erasure');
    await page.getByRole('textbox', { name: /^Streams/ }).fill('metrics\nnever-was');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('Data is left.')).toBeVisible();
    const places = page.getByRole('region', { name: 'Stream metrics' });
    await expect(places.getByRole('row', { name: /^log events with their data chunk-000000/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Stream never-was' }).getByText('erased')).toBeVisible();

    const html = path.join(home, 'report.html');
    await answerSaveDialog(app, html);
    await page.getByRole('button', { name: 'Save as HTML…' }).click();
    await expect(page.getByText(`Saved as ${html}.`)).toBeVisible();
    expect(readFileSync(html, 'utf8')).toContain('metrics');

    const json = path.join(home, 'report.json');
    await answerSaveDialog(app, json);
    await page.getByRole('button', { name: 'Save as JSON…' }).click();
    await expect(page.getByText(`Saved as ${json}.`)).toBeVisible();
    const saved = JSON.parse(readFileSync(json, 'utf8')) as { complete: boolean; files: unknown[] };
    expect(saved.complete).toBe(true);
    expect(saved.files.length).toBeGreaterThan(10);
  });

  await test.step('a second look says that the files are the same', async () => {
    await page.getByRole('button', { name: 'Check again and compare' }).click();
    await expect(page.getByText(/^\d+ files unchanged\.$/)).toBeVisible();
  });

  await test.step('on paper there is the report and nothing of the frame', async () => {
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('tablist', { name: 'Do' })).toBeHidden();
    await expect(page.getByText('Data is left.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: /^Streams/ })).toBeHidden();
    const paper = page.getByRole('table', { name: 'Places of Stream metrics' });
    expect(await paper.getByRole('row').count()).toBeGreaterThan(60);
    await expect(paper.getByRole('row').nth(1)).toContainText('Hard-delete the stream');
    await page.emulateMedia({ media: null });
    await expect(page.getByRole('tablist', { name: 'Do' })).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Places of Stream metrics' })).toBeVisible();
  });
});
