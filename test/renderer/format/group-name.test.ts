/** Names of what is counted apart are words of the window; all others stand as they are. */
import { afterAll, expect, test } from 'vitest';
import { groupName, NO_CATEGORY } from '../../../src-renderer/format/group-name.ts';
import { speak } from '../../../src-renderer/state/language.ts';
import { chooseTexts } from '../../../src-renderer/texts.ts';
import { english } from '../../../src-renderer/texts/english.ts';

// English is what is shown unless another language is chosen, so nothing chooses it again.
afterAll(() => {
  chooseTexts(english);
  document.documentElement.lang = 'en';
});

test('streams without a category, commits, system records and others have words of each language', async () => {
  const names = [NO_CATEGORY, '(commits)', '(system)', '(others)'];
  expect(names.map(groupName)).toEqual(names);
  await speak('de');
  expect(names.map(groupName)).toEqual(['(ohne Kategorie)', '(Commits)', '(System)', '(andere)']);
});

test('other names are shown as they are, with what cannot be seen written out', () => {
  expect(groupName('order')).toBe('order');
  expect(groupName('toString')).toBe('toString');
  expect(groupName('a\u0007b')).not.toContain('\u0007');
});
