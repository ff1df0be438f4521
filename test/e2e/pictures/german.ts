/** The main views in German, as a system that speaks German shows them. */
import { inStudio, type Album } from './studio.ts';

export async function takeGerman(directory: Album): Promise<void> {
  const environment = { LANGUAGE: 'de' };
  await inStudio({ directory, hasSample: false, environment }, async ({ page, show, take }) => {
    await page.getByRole('button', { name: 'Beispieldatenbank anlegen' }).waitFor();
    await take('german-first-screen');
    await page.getByRole('button', { name: 'Beispieldatenbank anlegen' }).click();
    await page
      .locator('.overview .health')
      .getByText(/^in Ordnung, Stand/)
      .waitFor();
    await page.getByRole('button', { name: 'Plan berechnen' }).click();
    await page.getByRole('button', { name: 'Plan zeigen' }).waitFor();
    await take('german-overview');
    await show('Chunks');
    await page.locator('[data-chunk="3"]').click();
    await page.getByRole('button', { name: 'Records zeigen' }).waitFor();
    await take('german-chunks');
    await show('Streams');
    await page.getByRole('row', { name: /^metrics/ }).click();
    await page.getByRole('grid', { name: 'Events, wie ein Leser sie sieht' }).getByRole('row').nth(2).click();
    await take('german-streams');
    await show('Scavenge');
    await page
      .getByText(/^Gäbe .* frei/)
      .first()
      .waitFor();
    await take('german-scavenge');
    for (const [view, name] of [
      ['Belegung', 'usage'],
      ['Backups', 'backups'],
      ['Wiederherstellen', 'restore'],
      ['Prüfen und reparieren', 'verify'],
      ['Löschnachweis', 'erasure'],
      ['Rettung', 'rescue']
    ] as const) {
      await show(view);
      await page.waitForTimeout(1500);
      await take(`german-${name}`);
    }
    await page.keyboard.press('Control+k');
    await page.getByText('Zeitplan dieses Nodes…').click();
    await page.getByRole('combobox', { name: 'Jeweils' }).waitFor();
    await take('german-schedule');
    const run = async (command: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(command);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(1500);
    };
    for (const [command, name] of [
      ['Events extrahieren', 'extract'],
      ['Aktivitäten', 'activity'],
      ['Alle Nodes im Überblick', 'fleet'],
      ['Laufenden Cluster hinzufügen', 'cluster-add']
    ] as const) {
      await run(command);
      await take(`german-${name}`);
    }
    await page.keyboard.press('Escape');
    await run('Tastenkürzel');
    await take('german-shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    await page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    await take('german-settings');
  });
}
