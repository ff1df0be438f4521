/** The documentation in the window: made of the project's own pages, none left out, no link that leads nowhere. */
import { describe, expect, test } from 'vitest';
import { readDocumentation } from '../scripts/documentation-plugin.ts';
import { CONTENTS, pageAbout } from '../src-renderer/state/documentation/contents.ts';
import { findInSections, sectionsOf } from '../src-renderer/state/documentation/find-in-pages.ts';
import {
  textOf,
  type DocumentLink,
  type DocumentNode
} from '../src-renderer/state/documentation/page-tree.ts';
import { FIRST_PLACE, VIEWS } from '../src-renderer/state/places.svelte.ts';

const pages = readDocumentation();
const listed = CONTENTS.flatMap((group): readonly string[] => group.pages);

function linksIn(nodes: readonly DocumentNode[]): DocumentLink[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return 'page' in node ? [node] : linksIn(node.children);
  });
}

function headingsOf(page: string): string[] {
  const body = pages.find(({ name }) => name === page)?.body ?? [];
  return body.flatMap((node) => (typeof node === 'object' && 'tag' in node && node.id ? [node.id] : []));
}

describe('the pages', () => {
  test('stand in the contents, each once', () => {
    expect([...listed].sort()).toEqual(pages.map(({ name }) => name).sort());
  });

  test('have a title and something to read', () => {
    for (const { name, title, body } of pages) {
      expect(title, name).toMatch(/\S/);
      expect(textOf(body).length, name).toBeGreaterThan(400);
    }
  });

  test('link to pages and headings that exist', () => {
    const links = pages.flatMap(({ name, body }) => linksIn(body).map((link) => ({ name, ...link })));
    expect(links.length).toBeGreaterThan(50);
    const wrong = links.filter(
      ({ page, section }) =>
        !listed.includes(page) || (section !== null && !headingsOf(page).includes(section))
    );
    expect(wrong.map(({ name, page, section }) => `${name} → ${page}#${section ?? ''}`)).toEqual([]);
  });

  test('show a command of an installed program in the first steps', () => {
    const text = textOf(pages.find(({ name }) => name === 'first-steps')?.body ?? []);
    expect(text).toContain('winnow inspect ./sample');
    expect(text).not.toMatch(/npm run -s winnow|Development/);
  });

  test('have one for every view', () => {
    for (const view of VIEWS) expect(listed).toContain(pageAbout({ ...FIRST_PLACE, nodeId: 'n', view }));
    expect(pageAbout(FIRST_PLACE)).toBe('first-steps');
    expect(pageAbout({ ...FIRST_PLACE, nodeId: 'n', application: 'settings' })).toBe('settings-view');
    expect(pageAbout({ ...FIRST_PLACE, cluster: 'c', view: 'schedule' })).toBe('auto-scavenge');
  });
});

describe('the search', () => {
  const sections = sectionsOf(pages);

  test('finds sections in which all words stand, whatever their case, titles first', () => {
    const [first, ...others] = findInSections(sections, 'SCAVENGE point');
    expect(first?.section).toMatchObject({ page: 'scavenge', id: null });
    expect(others.length).toBeGreaterThan(5);
    for (const { section } of others) {
      const all = `${section.title} ${section.pageTitle} ${section.text}`.toLowerCase();
      expect(all).toContain('scavenge');
      expect(all).toContain('point');
    }
  });

  test('shows the words around the hit, with the hit apart', () => {
    const [found] = findInSections(
      [
        {
          page: 'p',
          pageTitle: 'P',
          id: null,
          title: 'P',
          text: `${'word '.repeat(60)}a (b) c ${'end '.repeat(60)}`
        }
      ],
      '(b)'
    );
    expect(found?.excerpt.map(({ text }) => text).join('')).toMatch(/^… word .*a \(b\) c end .* …$/);
    expect(found?.excerpt.filter(({ isHit }) => isHit)).toEqual([{ text: '(b)', isHit: true }]);
  });

  test('finds nothing where nothing is typed', () => {
    expect(findInSections(sections, '  ')).toEqual([]);
    expect(findInSections(sections, 'xyzzy')).toEqual([]);
  });
});
