/** Events redacted in a real window: found by the report, planned, overwritten, certified, and not found any more. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectAccessibleInThemes } from './axe.ts';
import { answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

test('the data of an event are overwritten by a plan, and the certificate is saved', async ({ sample }) => {
  const { page, show, home, app } = sample;
  await show('Records');
  const first = page.getByRole('row', { name: /order-/ }).first();
  await first.click();
  const id = await page
    .getByText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .first()
    .textContent();

  await show('Erasure');
  await page.getByRole('textbox', { name: /^Event ids/ }).fill(id ?? '');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const redaction = page.getByRole('region', { name: 'Redaction', exact: true });
  await redaction.getByRole('button', { name: 'Redact 1 event…' }).click();
  await expect(redaction.getByRole('region', { name: 'Plan of the redaction' })).toContainText(
    'data of 1 event'
  );
  await expectAccessibleInThemes(page);
  await redaction.getByRole('button', { name: 'Overwrite for good…' }).click();
  await page.getByRole('button', { name: 'Overwrite for good', exact: true }).click();
  await expect(redaction.getByRole('status')).toContainText('The data of 1 event are overwritten.');
  await expectAccessibleInThemes(page);

  const html = path.join(home, 'certificate.html');
  await answerSaveDialog(app, html);
  await redaction.getByRole('button', { name: 'Save as HTML…' }).click();
  await expect(redaction.getByText(`Saved as ${html}.`)).toBeVisible();
  expect(readFileSync(html, 'utf8')).toContain('Certificate of redaction');

  await page.getByRole('button', { name: 'Check again', exact: true }).click();
  await expect(page.getByRole('row', { name: /redacted events, data overwritten/ })).toBeVisible();
});
