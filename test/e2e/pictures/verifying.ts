/** Verify: nothing yet, no damage, damage, whether a server would start, the plan of a repair. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inStudio, type Album } from './studio.ts';

export async function takeVerifying(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, home, show, take }) => {
    await show('Check and repair');
    await take('verify-first');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(/^No damage found/).waitFor();
    await take('verify');
    const data = path.join(home, 'samples', 'sample');
    writeFileSync(path.join(data, 'epoch.chk'), new Uint8Array(8).fill(1));
    writeFileSync(path.join(data, 'index', 'indexmap'), 'damaged');
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText(/^This node will not start/).waitFor();
    await page.getByRole('button', { name: 'Repair…' }).first().waitFor();
    await take('verify-damage');
    await page.getByRole('button', { name: 'Plan a repair' }).click();
    await page.getByRole('region', { name: 'Repair plan' }).waitFor();
    await take('repair-plan');
  });
}
