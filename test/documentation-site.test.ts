/** The documentation as a site: its list has every page, and no page links to what is not there. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { marked, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import {
  addressOf,
  headingId,
  NO_PAGES,
  siteLink,
  siteParts,
  titleOf
} from '../scripts/documents/site-pages.mjs';

const root = path.resolve(import.meta.dirname, '..');
const files = siteParts().flatMap((part) => part.files);
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Found {
  links: string[];
  pictures: string[];
  headings: string[];
}

/** What a page links to and shows, and the names of its headings. */
function read(file: string): Found {
  const found: Found = { links: [], pictures: [], headings: [] };
  const walk = (token: Token) => {
    if (token.type === 'link') found.links.push(String(token['href']));
    if (token.type === 'image') found.pictures.push(String(token['href']));
    if (token.type === 'heading') found.headings.push(headingId(plain(token['tokens'] ?? [])));
  };
  void marked.walkTokens(marked.lexer(textOf(file)), walk);
  return found;
}

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : ''
    )
    .join('');

const pages = new Map(files.map((file) => [file, read(file)]));

describe('the site', () => {
  test('has every page of the documentation, each once', () => {
    const written = readdirSync(path.join(root, 'docs'), { recursive: true })
      .map((name) => `docs/${String(name)}`)
      .filter((name) => name.endsWith('.md'));
    expect([...files].sort()).toEqual([
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
      ...written.sort()
    ]);
    expect(new Set(files.map(addressOf)).size).toBe(files.length);
    for (const file of files) expect(titleOf(file), file).toMatch(/\S/);
  });

  test('links to pages, headings and files that exist', () => {
    const wrong = [...pages].flatMap(([file, { links }]) => links.flatMap((href) => faultOf(file, href)));
    expect(wrong).toEqual([]);
    expect([...pages.values()].flatMap(({ links }) => links).length).toBeGreaterThan(200);
  });

  test('shows pictures that exist', () => {
    const shown = [...pages].flatMap(([file, { pictures }]) =>
      pictures.map((href) => path.posix.join(path.posix.dirname(file), href))
    );
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('refuses a link that leads nowhere', () => {
    expect(siteLink('docs/operations/backup.md', '../proof.md#x')).toBe('/proof.md#x');
    expect(siteLink('README.md', 'docs/decisions')).toMatch(/^\/decisions\/0001/);
    expect(() => siteLink('docs/operations/backup.md', '../nothing.md')).toThrow('which is no page');
  });
});

function faultOf(file: string, href: string): string[] {
  if (/^[a-z]+:/.test(href)) return [];
  try {
    siteLink(file, href);
  } catch (error) {
    return [(error as Error).message];
  }
  const [target = '', section] = href.split('#');
  const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
  if (section === undefined || (pages.get(linked)?.headings.includes(section) ?? false)) return [];
  return [`${file} links to ${href}, which is no heading.`];
}

test('has no page of what git ignores: reports of failed tests are Markdown too', () => {
  const ignored = readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  expect(NO_PAGES).toContain('test-results/**');
  expect(NO_PAGES).toEqual(expect.arrayContaining(ignored.map((line) => `${line.replace(/^\//, '')}**`)));
});
