/** Settings, Activity, About, Documentation. */
import { inStudio, type Album } from './studio.ts';

const SECTIONS = [
  ['Appearance', 'settings'],
  ['Node settings', 'settings-node'],
  ['Licence', 'settings-licence'],
  ['Users', 'settings-users'],
  ['Backup targets', 'settings-targets']
] as const;

export async function takeApplication(directory: Album): Promise<void> {
  await inStudio({ directory, mustCreate: true }, async ({ page, show, take }) => {
    await show('Check and repair');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(/^No damage found/).waitFor();
    for (const [section, name] of SECTIONS) {
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('button', { name: section, exact: true }).click();
      await page.getByRole('region', { name: section, exact: true }).first().waitFor();
      await take(name);
    }
    await page.getByRole('button', { name: 'Activity' }).click();
    await page
      .getByRole('row', { name: /Create the sample database.*done/ })
      .first()
      .click();
    await take('activity');
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').fill('About Winnow');
    await page.keyboard.press('Enter');
    await page.getByText('Chromium', { exact: true }).waitFor();
    await take('about');
    await show('Scavenge');
    await page.keyboard.press('Shift+F1');
    await page.getByRole('article', { name: 'Scavenge' }).waitFor();
    await take('documentation');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('scavenge point');
    await page.getByText(/places for “scavenge point”/).waitFor();
    await take('documentation-search');
  });
}
