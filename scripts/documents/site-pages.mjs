// Which pages the documentation site has, in which order, and under which address: what the window shows, in its order, then what
// only developers and those who compare read.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CONTENTS } from '../../src-renderer/state/documentation/contents.ts';
import { root } from '../build.mjs';

/** Pages of the window that are not in docs/operations. */
const ELSEWHERE = { 'first-steps': 'README.md', glossary: 'docs/glossary.md', proof: 'docs/proof.md' };
/** What the parts of the window are called here. */
const OF_WINDOW = {
  start: 'Start',
  look: 'Look',
  act: 'Do',
  clusters: 'Clusters and servers',
  winnow: 'Winnow itself'
};
/** Parts that the window has not: single files, or a folder. */
const MORE = [
  {
    text: 'Compared and measured',
    files: ['docs/comparison.md', 'docs/other-ways.md', 'docs/performance.md', 'docs/pictures/README.md']
  },
  { text: 'Formats on disk', folder: 'docs/format' },
  {
    text: 'How it is built',
    files: [
      'docs/architecture.md',
      'docs/dependencies.md',
      'docs/release.md',
      'docs/writing.md',
      'docs/transcripts/http.md',
      'docs/transcripts/cluster.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md'
    ]
  },
  { text: 'Decisions', folder: 'docs/decisions' }
];

/** A file as the site names it: the README first, `docs/` left out. */
export const addressOf = (file) =>
  file === 'README.md' ? 'index.md' : file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');

/** The parts of the site with the files of each, by their paths in the repository. */
export function siteParts() {
  const ofWindow = CONTENTS.map(({ part, pages }) => ({
    text: OF_WINDOW[part],
    files: pages.map((page) => ELSEWHERE[page] ?? `docs/operations/${page}.md`)
  }));
  const more = MORE.map(({ text, files, folder }) => ({
    text,
    files:
      files ??
      readdirSync(path.join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => `${folder}/${name}`)
  }));
  return [...ofWindow, ...more];
}

/** What a page is called in the list: its first heading, without marks. */
export function titleOf(file) {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
  if (heading === undefined) throw new Error(`${file} has no title.`);
  return heading.replaceAll('`', '');
}

/** A heading as links name it; the window and the site where the repository lies agree. */
export const headingId = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** What has Markdown and is no page: what is not documentation, and whatever is made here and not kept. */
export const NO_PAGES = [
  ...['.*/**', 'docs/.*/**', 'test/**', 'resources/**', 'scripts/**', 'src-*/**'],
  ...readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('/'))
    .map((line) => `${line.replace(/^\//, '')}**`)
];

/** What pages link to and what is no page: copied beside them, by where it lies on the site. */
export const FILES_BESIDE = {
  LICENSE: 'LICENSE.txt',
  'resources/schemas': 'schemas',
  'resources/openapi.json': 'openapi.json',
  'resources/icon.svg': 'icon.svg'
};

/** The list of the schemas: a folder that pages link to. */
export const SCHEMAS = '/schemas/index.html';

/**
 * What a link in a page of the repository is on the site: absolute, with what stands behind `#`. A folder has no page, so a link to
 * it leads to the first of its pages in the list. Throws where it leads to nothing that the site has.
 */
export function siteLink(file, href) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [target = '', section] = href.split('#');
  const linked = path.posix.join(path.posix.dirname(file), decodeURI(target)).replace(/\/$/, '');
  const pages = siteParts().flatMap((part) => part.files);
  const page = pages.includes(linked) ? linked : pages.find((other) => path.posix.dirname(other) === linked);
  const [beside, as] = Object.entries(FILES_BESIDE).find(([name]) => linked === name) ?? [];
  if (page === undefined && beside === undefined)
    throw new Error(`${file} links to ${href}, which is no page.`);
  if (as === 'schemas') return SCHEMAS;
  const address = page === undefined ? as : addressOf(page);
  return `/${address}${section === undefined ? '' : `#${section}`}`;
}
