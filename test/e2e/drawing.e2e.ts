/** What is drawn of a log: nothing as live before anybody knows, and what is missing in red, in its place. */
import type { Page } from 'playwright-core';
import { unpackDamaged } from '../support/golden.ts';
import { expect } from './fixtures.ts';
import { enter, show, test } from './served-page.ts';

/** Words of the legends and heights of what is drawn in the bar, in the colours' names. */
const barOf = (page: Page) =>
  page.evaluate(() => ({
    legend: document.querySelector('section.log .legend')?.textContent.replaceAll(/\s+/g, ' ').trim() ?? '',
    live: [...document.querySelectorAll('section.log rect.live, section.log rect.removable')].filter(
      (rect) => Number(rect.getAttribute('height')) > 0
    ).length
  }));

// In a browser: a window weighs the chunks by itself as soon as it is left alone for a moment.
test('before a plan nothing of the log is live or removable; after it is', async ({ page }) => {
  await enter(page);
  await expect(page.locator('section.log svg rect').first()).toBeAttached();
  const before = await barOf(page);
  expect(before.legend).toContain('not known yet');
  expect(before.legend).not.toMatch(/live|removable/);
  expect(before.live).toBe(0);
  await show(page, 'Chunks');
  const cells = page.locator('[role=option][data-chunk]');
  await expect(cells.first()).toBeVisible();
  expect(await page.locator('[role=option] .cell:not(.unknown)').count()).toBe(0);
  expect(await cells.first().getAttribute('aria-label')).toContain('removable share not known yet');
  expect(await page.locator('[role=grid] [role=img]').first().getAttribute('aria-label')).toContain(
    'not yet known to be live or removable'
  );
  // Other measures say what they know; their ground is not the colour of live data either.
  const ground = await cells
    .first()
    .locator('.cell')
    .evaluate((cell) => getComputedStyle(cell).backgroundImage);
  await show(page, 'Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await expect(page.getByText(/Would free|would free|nothing/i).first()).toBeVisible();
  await show(page, 'Chunks');
  await expect
    .poll(() => page.locator('[role=option] .cell.removable:not(.unknown)').count())
    .toBeGreaterThan(0);
  expect(
    await cells
      .first()
      .locator('.cell')
      .evaluate((cell) => getComputedStyle(cell).backgroundImage)
  ).not.toBe(ground);
  await show(page, 'Overview');
  await expect.poll(async () => (await barOf(page)).legend).toMatch(/live.*removable/);
});

for (const { name, says, state, chunk } of [
  { name: 'damaged-c-missing-middle-chunk', says: /^Chunk 7 is missing/, state: 'missing', chunk: 7 },
  { name: 'damaged-i-header-magic', says: /^The header of .* is invalid/, state: 'unreadable', chunk: null }
]) {
  test(`${name} has a red cell in bar, map and table that leads to its finding`, async ({ openWindow }) => {
    const window = await openWindow({ words: [unpackDamaged(name)] });
    const { page } = window;
    const inBar = page.locator('section.log .bar [data-gap]');
    await expect(inBar).toBeVisible();
    const number = Number(await inBar.getAttribute('data-gap'));
    if (chunk !== null) expect(number).toBe(chunk);
    expect((await barOf(page)).legend).toContain(state);
    await inBar.hover();
    await expect(page.locator('section.log [role=status]')).toHaveText(says, { useInnerText: true });
    await inBar.click();
    const finding = page.getByRole('region', { name: `Chunk ${number} is ${state}` });
    await expect(finding).toBeVisible();
    expect(await finding.innerText()).toMatch(/Restore/);

    await window.show('Chunks');
    const cells = page.locator('[role=option][data-chunk]');
    await expect(cells.first()).toBeVisible();
    const places = await cells.evaluateAll((all) =>
      all.map((cell) => Number((cell as HTMLElement).dataset['chunk']))
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const gap = page.locator(`[role=option].gap[data-chunk="${number}"]`);
    expect(await gap.getAttribute('aria-label')).toMatch(says);
    expect(await gap.locator('.cell').evaluate((cell) => getComputedStyle(cell).backgroundColor)).toBe(
      await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'var(--damage)';
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      })
    );
    await gap.click();
    await expect(page.getByRole('heading', { name: `Chunk ${number} is ${state}` })).toBeVisible();
    const row = page.getByRole('grid', { name: 'Chunks' }).getByRole('row', { name: state });
    expect(await row.getAttribute('aria-selected')).toBe('true');
    await row.getByRole('button', { name: 'finding' }).click();
    await expect(finding).toBeVisible();
  });
}
