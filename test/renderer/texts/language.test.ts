/** The window in German: main views without a word of English, and numbers and ages as German has them. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languageOf, speak } from '../../../src-renderer/state/language.ts';
import { english } from '../../../src-renderer/texts/english.ts';
import { german } from '../../../src-renderer/texts/german/german.ts';
import type { openWindow as open } from '../render-app.ts';

let openWindow: typeof open;

// What reads its texts when it is loaded is loaded after the language was chosen, as in main.ts.
beforeAll(async () => {
  await speak('de');
  ({ openWindow } = await import('../render-app.ts'));
});
afterAll(() => speak('en'));

function sentencesOf(catalogue: unknown): string[] {
  if (typeof catalogue === 'string') return [catalogue];
  return typeof catalogue === 'object' && catalogue !== null
    ? Object.values(catalogue).flatMap(sentencesOf)
    : [];
}

/** Names of checkpoints, as their files have them. */
const NAMES = ['epoch', 'index'];
const ofGerman = new Set([...sentencesOf(german), ...NAMES]);
const onlyEnglish = new Set(
  sentencesOf(english).filter((words) => /[a-z]{3}/.test(words) && !ofGerman.has(words))
);

/** Texts and labels of the page that are those of the English catalogue. */
function englishOnPage(): string[] {
  const words = [...document.querySelectorAll('body, body *')].flatMap((element) => [
    ...['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes]
      .filter(({ nodeType }) => nodeType === 3)
      .map(({ textContent }) => (textContent ?? '').trim())
  ]);
  return [...new Set(words.filter((text) => onlyEnglish.has(text)))];
}

const VIEWS = [
  'overview',
  'chunks',
  'records',
  'streams',
  'index',
  'usage',
  'scavenge',
  'backups',
  'restore',
  'verify',
  'erasure',
  'rescue'
] as const;

test('there are English texts to find', () => {
  expect(document.documentElement.lang).toBe('de');
  expect(onlyEnglish.size).toBeGreaterThan(1000);
});

test.each(VIEWS)('the view %s has no English text', async (view) => {
  const { show } = await openWindow();
  await show(german.views[view]);
  await waitFor(() =>
    expect(document.querySelector('#view')?.textContent.trim().length).toBeGreaterThan(100)
  );
  expect(englishOnPage()).toEqual([]);
});

test('the fields of a chunk have German names, amounts and words', async () => {
  const { show, user } = await openWindow();
  await show(german.views.chunks);
  await user.click(await screen.findByText('abgeschlossen', { selector: '[title="chunk-000000.000000"]' }));
  const header = await screen.findByRole('table', { name: german.chunks.header });
  expect(within(header).getByText('Chunk-Größe')).toBeTruthy();
  expect(within(header).getByText('1.048.576 Bytes')).toBeTruthy();
  const footer = screen.getByRole('table', { name: german.chunks.footer });
  expect(within(footer).getByText('abgeschlossen')).toBeTruthy();
  expect(englishOnPage()).toEqual([]);
});

test('the language is chosen in Settings and remembered', async () => {
  const { fake, user } = await openWindow();
  await user.keyboard('{Control>},{/Control}');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sprache' }), 'English');
  expect(fake.requestsOf('changePreferences')).toEqual([{ language: 'en' }]);
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr-FR', 'de', 'en'], 'de'],
  [['en-GB', 'de'], 'en'],
  [['fr'], 'en'],
  [[], 'en']
] as const)('a browser that asks for %j is shown %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
