// The documentation as a site (`npm run docs:site`): pages of this repository as they are, in release/site.
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitepress';

const root = path.resolve(import.meta.dirname, '../..');
// Not a plain import: the generator would compile it by itself, with a compiler that knows less than Node.
const { addressOf, FILES_BESIDE, headingId, NO_PAGES, SCHEMAS, siteLink, siteParts, titleOf } = await import(
  pathToFileURL(path.join(root, 'scripts/documents/site-pages.mjs')).href
);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const parts = siteParts();
const files = parts.flatMap((part) => part.files);
const fileAt = new Map(files.map((file) => [addressOf(file), file]));

function listOfFiles(title, folder) {
  const items = readdirSync(folder)
    .sort()
    .map((name) => `<li><a href="${name}">${name}</a></li>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>${title}</title><body><h1>${title}</h1><ul>${items.join('')}</ul>`;
}

export default defineConfig({
  title: 'Winnow',
  description: 'Maintenance of KurrentDB and EventStoreDB databases',
  lang: 'en',
  srcDir: '..',
  srcExclude: NO_PAGES,
  outDir: '../release/site',
  cacheDir: '../out/site-cache',
  rewrites: Object.fromEntries(files.map((file) => [file, addressOf(file)])),
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    // The names of headings that the window and the place of the repository give them.
    anchor: { slugify: headingId },
    config(markdown) {
      markdown.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        // The search names the file, the page its address.
        const file = files.find((one) => one === env.relativePath) ?? fileAt.get(env.relativePath);
        if (file === undefined) throw new Error(`${env.relativePath} is no page of the site.`);
        for (const token of tokens) {
          // Blocks by indentation look like those between fences.
          if (token.type === 'code_block')
            Object.assign(token, { type: 'fence', info: 'text', markup: '```' });
        }
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href === null) continue;
          const link = siteLink(file, href);
          token.attrSet('href', link);
          // No page of the generator's: the browser has to ask for it.
          if (link === SCHEMAS) token.attrSet('target', '_self');
        }
      });
    }
  },
  ignoreDeadLinks: [SCHEMAS.replace('.html', '')],
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Start', link: '/operations/first-backup' },
      { text: 'Commands', link: '/operations/command-line' },
      { text: 'Errors', link: '/operations/errors' },
      { text: 'Comparison', link: '/comparison' },
      { text: version, link: '/CHANGELOG' }
    ],
    sidebar: parts.map(({ text, files: pages }, at) => ({
      text,
      collapsed: at > 3,
      items: pages.map((file) => ({ text: titleOf(file), link: `/${addressOf(file)}` }))
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: true } },
    docFooter: { prev: 'Before', next: 'Next' }
  },
  buildEnd({ outDir }) {
    for (const [file, as] of Object.entries(FILES_BESIDE)) {
      cpSync(path.join(root, file), path.join(outDir, as), { recursive: true });
    }
    writeFileSync(path.join(outDir, SCHEMAS), listOfFiles('JSON schemas', path.join(outDir, 'schemas')));
  }
});
