/** Two logs compared, a scavenge undone, an event redacted, and the next start with its preparation. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../../support/golden.ts';
import { inStudio, type Album } from './studio.ts';

export async function takeInsight(directory: Album): Promise<void> {
  await takeUndo(directory);
  await takeRedaction(directory);
  await takeDifference(directory);
  await takeStartup(directory);
}

async function takeUndo(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Scavenge');
    await page.getByLabel('Keep what is replaced').fill('7');
    await page.getByRole('button', { name: /^Make the plan/ }).click();
    await page.getByRole('button', { name: /^Remove/ }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('The scavenge is complete.').waitFor();
    const kept = page.getByRole('region', { name: 'Scavenges that can be undone' });
    await kept.getByRole('button', { name: 'Undo this scavenge' }).click();
    await kept.getByText(/becomes what it was before the scavenge/).waitFor();
    await kept.scrollIntoViewIfNeeded();
    await take('undo-plan');
  });
}

async function takeRedaction(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Records');
    await page
      .getByRole('row', { name: /order-/ })
      .first()
      .click();
    const id = page.getByText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/).first();
    const event = (await id.textContent()) ?? '';
    await show('Erasure');
    await page.getByRole('textbox', { name: /^Event ids/ }).fill(event);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const redaction = page.getByRole('region', { name: 'Redaction', exact: true });
    await redaction.getByRole('button', { name: 'Redact 1 event…' }).click();
    await redaction.getByRole('region', { name: 'Plan of the redaction' }).waitFor();
    await redaction.getByRole('button', { name: 'Overwrite for good…' }).click();
    await page.getByRole('button', { name: 'Overwrite for good', exact: true }).click();
    await redaction
      .getByRole('status')
      .getByText(/are overwritten/)
      .waitFor();
    await redaction.scrollIntoViewIfNeeded();
    await take('redaction');
  });
}

async function takeDifference(directory: Album): Promise<void> {
  const prepare = (home: string): void => {
    const registry = new NodeRegistry(home, Date.now);
    for (const [name, folder] of [
      ['node-1', 'before'],
      ['node-2', 'after-t0']
    ] as const) {
      const data = path.join(home, name);
      mkdirSync(home, { recursive: true });
      cpSync(unpackDatabase({ name: 'rules', folder }), data, { recursive: true });
      registry.open({ dataDirectory: data });
    }
  };
  await inStudio({ directory, hasSample: false, prepare }, async ({ page, show, take }) => {
    await page
      .getByRole('navigation', { name: 'Nodes' })
      .getByRole('button', { name: /^node-2/ })
      .click();
    await show('Check and repair');
    const section = page.getByRole('region', { name: 'Same log?' });
    await section.getByRole('checkbox', { name: 'node-1' }).click();
    await section.getByRole('button', { name: 'Compare', exact: true }).click();
    await section
      .getByText(/hold the same log/)
      .first()
      .waitFor();
    await section.scrollIntoViewIfNeeded();
    await take('diff');
  });
}

async function takeStartup(directory: Album): Promise<void> {
  const words = [unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' })];
  await inStudio({ directory, hasSample: false, words }, async ({ page, show, take }) => {
    await show('Check and repair');
    const section = page.getByRole('region', { name: 'How long does the next start take?' });
    await section.getByText('Bring the index up to the log').waitFor();
    await section.getByRole('button', { name: 'Prepare now…' }).scrollIntoViewIfNeeded();
    await take('startup');
  });
}
