/**
 * Takes the pictures of docs/pictures: every view, light and dark, in two sizes; backups, restore and repair in one. No test, so that tests leave the
 * tree as it is. After a build:
 *   node scripts/electron-runtime.mjs node test/e2e/take-pictures.ts [directory]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';

const directory = process.argv[2] ?? 'docs/pictures';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 }
];
const THEMES = ['light', 'dark'] as const;

mkdirSync(directory, { recursive: true });
// A plain name: it is seen in the pictures.
const home = path.join(tmpdir(), 'winnow');
rmSync(home, { recursive: true, force: true });
const window = await launchWindow({ home });
const { page, show } = window;

await takeAll('first-screen');
await createSample(window);
await takeAll('overview-before');
await page.getByRole('button', { name: 'Compute the plan' }).click();
await page.getByRole('button', { name: 'Show the plan' }).waitFor();
await takeAll('overview');
await show('Chunks');
await page.locator('[data-chunk="3"]').click();
await page.getByText('Lowest version a reader must know').waitFor();
await takeAll('chunks');
await page.getByRole('button', { name: 'Show the records' }).click();
await page.getByRole('grid').getByRole('row').nth(4).click();
await page.getByRole('button', { name: 'Stream', exact: true }).focus();
await takeAll('records');
await show('Streams');
await page.getByRole('row', { name: /^metrics/ }).click();
await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').nth(2).click();
await page.getByRole('region', { name: 'Bytes of the record' }).waitFor();
await takeAll('streams');
await show('Index');
await page.getByRole('textbox', { name: 'Name of a stream' }).fill('prices');
await page.getByRole('button', { name: 'Look up' }).click();
await page.getByText(/entries for hash/).waitFor();
await takeAll('index');
await show('Schedule');
await page.getByRole('heading', { level: 1 }).waitFor();
await takeAll('schedule');
await show('Scavenge');
await page.getByRole('button', { name: /^Remove/ }).waitFor();
await takeAll('scavenge-plan');
await page.getByRole('button', { name: /^Remove/ }).click();
await page.getByRole('alertdialog').waitFor();
await takeAll('scavenge-confirm');
await page
  .getByRole('alertdialog')
  .getByRole('button', { name: /^Remove/ })
  .click();
await page.getByText(/^\d+ \/ \d+ chunks$/).waitFor();
await take('scavenge-run', 'dark', SIZES[0]!);
await page.getByRole('button', { name: 'Verify now' }).waitFor();
await takeAll('scavenge-result');
await show('Overview');
await takeAll('overview-after');
await show('Chunks');
await takeAll('chunks-after');
await show('Verify');
await page.getByRole('button', { name: 'Verify', exact: true }).click();
await page.getByText(/^No damage found/).waitFor();
await takeAll('verify');
await takeBackups();
await takeRepair();
await page.keyboard.press('Control+k');
await page.getByPlaceholder(/An action, a node/).fill('metr');
await page.getByRole('option', { name: /^metrics/ }).waitFor();
await takeAll('palette');
await window.close();

async function takeBackups(): Promise<void> {
  const backups = path.join(home, 'backups');
  mkdirSync(backups);
  await window.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, backups);
  const copy = page.getByRole('button', { name: /^Copy [\d.]+ [kM]B$/ });
  const complete = page.getByText(/^The backup \S+ is complete\.$/);
  const rows = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');
  await show('Backups');
  await takeBoth('backups-first');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  await copy.waitFor();
  await takeBoth('backups-plan');
  await copy.click();
  await complete.waitFor();
  await page.getByRole('button', { name: 'Verify it' }).click();
  await page.getByText('The backup is whole.').waitFor();
  await rows.first().click();
  await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
  await page.getByText(/^The rehearsal succeeded/).waitFor();
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  await copy.click();
  await complete.waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await takeBoth('backups');
  await page.getByRole('spinbutton', { name: 'the last' }).fill('1');
  await page.getByRole('spinbutton', { name: 'weekly' }).fill('0');
  await page.getByRole('spinbutton', { name: 'monthly' }).fill('0');
  await page.getByRole('button', { name: 'Plan the pruning' }).click();
  await page.getByRole('region', { name: 'Plan of the pruning' }).waitFor();
  await takeBoth('backups-prune');
  await page.getByText('Cut the log here when restoring').click();
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('region', { name: 'Plan of the restore' }).waitFor();
  await takeBoth('restore-plan');
  await page.getByRole('button', { name: 'Replace sample…' }).click();
  await page.getByRole('alertdialog').waitFor();
  await takeBoth('restore-confirm');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace sample' }).click();
  await page.getByText('The backup was restored.').waitFor();
  await takeBoth('restore-result');
}

async function takeRepair(): Promise<void> {
  const data = path.join(home, 'samples', 'sample');
  writeFileSync(path.join(data, 'epoch.chk'), new Uint8Array(8).fill(1));
  writeFileSync(path.join(data, 'index', 'indexmap'), 'damaged');
  await show('Verify');
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByRole('button', { name: 'Repair…' }).first().waitFor();
  await takeBoth('verify-damage');
  await page.getByRole('button', { name: 'Plan a repair' }).click();
  await page.getByRole('region', { name: 'Plan of the repair' }).waitFor();
  await takeBoth('repair-plan');
  await page.getByRole('button', { name: /^Repair \d+ files?…$/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Repair/ })
    .click();
  await page.getByText('Repaired: no damage is left.').waitFor();
  await page.getByRole('button', { name: 'Verify again' }).first().click();
  await page.getByText(/^No damage found/).waitFor();
}

async function takeBoth(name: string): Promise<void> {
  for (const theme of THEMES) await take(name, theme, SIZES[0]!);
}

async function takeAll(name: string): Promise<void> {
  for (const size of SIZES) {
    for (const theme of THEMES) await take(name, theme, size);
  }
}

async function take(
  name: string,
  theme: (typeof THEMES)[number],
  size: { width: number; height: number }
): Promise<void> {
  await resize(window, size);
  await page.emulateMedia({ colorScheme: theme });
  // Splits and lists measure themselves after a change of size.
  await page.waitForTimeout(350);
  const suffix = size.width === SIZES[0]!.width ? '' : `-${size.width}`;
  await page.screenshot({ path: path.join(directory, `${name}-${theme}${suffix}.png`) });
}

async function resize({ app }: ElectronWindow, size: { width: number; height: number }): Promise<void> {
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
}
