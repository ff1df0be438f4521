/** An erasure report made in a real window: places of a stream, the saved page and document, and a stream that is not there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;
const directory = mkdtempSync(path.join(tmpdir(), 'winnow-reports-'));

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
});
afterAll(async () => {
  await window.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The dialog of the system, answered. */
async function answerSaveDialog(file: string): Promise<void> {
  await window.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
}

test('the places of a stream are listed with their remedies, and saved', async () => {
  const { page, show } = window;
  await show('Erasure');
  await page.getByRole('textbox', { name: /^Streams/ }).fill('metrics\nnever-was');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('Data is left.').waitFor({ timeout: 60_000 });
  const places = page.getByRole('region', { name: 'Stream metrics' });
  await places.getByRole('row', { name: /^log events with their data chunk-000000/ }).waitFor();
  await page.getByRole('region', { name: 'Stream never-was' }).getByText('erased').waitFor();

  const html = path.join(directory, 'report.html');
  await answerSaveDialog(html);
  await page.getByRole('button', { name: 'Save as HTML…' }).click();
  await page.getByText(`Saved as ${html}.`).waitFor();
  expect(readFileSync(html, 'utf8')).toContain('metrics');

  const json = path.join(directory, 'report.json');
  await answerSaveDialog(json);
  await page.getByRole('button', { name: 'Save as JSON…' }).click();
  await page.getByText(`Saved as ${json}.`).waitFor();
  const saved = JSON.parse(readFileSync(json, 'utf8')) as { complete: boolean; files: unknown[] };
  expect(saved.complete).toBe(true);
  expect(saved.files.length).toBeGreaterThan(10);
});

test('a second look says that the files are the same', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Check again and compare' }).click();
  await page.getByText(/^\d+ files unchanged\.$/).waitFor({ timeout: 60_000 });
});

test('on paper there is the report and nothing of the frame', async () => {
  const { page } = window;
  await page.emulateMedia({ media: 'print' });
  await soon(() => page.getByRole('tablist').isVisible()).toBe(false);
  await soon(() => page.getByText('Data is left.').isVisible()).toBe(true);
  await soon(() => page.getByRole('textbox', { name: /^Streams/ }).isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await soon(() => page.getByRole('tablist').isVisible()).toBe(true);
});

test('the page complained about nothing', () => {
  expect(window.problems).toEqual([]);
});
