/** Scavenge: options and plan, confirmation, run, result, history; and what Overview and Chunks say afterwards. */
import { inStudio, type Album } from './studio.ts';

export async function takeScavenging(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take, takeOnce }) => {
    const remove = page.getByRole('button', { name: /^Remove/ });
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: /^Remove/ });
    await show('Scavenge');
    await take('scavenge-first');
    await page.getByLabel('Speed', { exact: true }).fill('25');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await remove.waitFor();
    await take('scavenge-plan');
    await remove.click();
    await page.getByRole('alertdialog').waitFor();
    await take('scavenge-confirm');
    await confirm.click();
    await page.getByText(/freed and safe on disk$/).waitFor();
    await takeOnce('scavenge-run');
    await page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button', { name: 'Stop' })
      .click();
    await page.getByText('The scavenge was stopped.').waitFor();
    await take('scavenge-stopped');
    await page.getByRole('button', { name: 'Resume scavenge' }).click();
    const speed = page.getByLabel('Speed now');
    await speed.fill('100');
    await speed.press('Enter');
    await page.getByText('The scavenge is complete.').waitFor();
    await take('scavenge-result');
    await show('Overview');
    await take('overview-after');
    await show('Chunks');
    await take('chunks-after');
  });
}
