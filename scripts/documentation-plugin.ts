/**
 * The documentation of the window: the pages of docs/operations, the glossary, the proof and the first steps of README.md as the
 * module `virtual:documentation`, read and parsed while building. Nothing is parsed in the window.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import type {
  DocumentNode,
  DocumentPage,
  DocumentTag
} from '../src-renderer/state/documentation/page-tree.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const MODULE = 'virtual:documentation';
const OPERATIONS = 'docs/operations';
/** The page that is made of parts of README.md: its introduction and these sections. */
const FIRST_STEPS = {
  name: 'first-steps',
  title: 'First steps',
  sections: ['First five minutes on the command line', 'Safety']
};

/** Gives the window its documentation. */
export function documentation(): Plugin {
  return {
    name: 'winnow:documentation',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      for (const { file } of sources()) this.addWatchFile(path.join(root, file));
      // A string that is parsed is read faster than the same thing written as code.
      return `export const pages = JSON.parse(${JSON.stringify(JSON.stringify(readDocumentation()))});`;
    }
  };
}

interface PageSource {
  name: string;
  file: string;
}

/** The files that the documentation is made of, by the names of their pages. */
function sources(): PageSource[] {
  const operations = readdirSync(path.join(root, OPERATIONS))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ name: path.basename(file, '.md'), file: `${OPERATIONS}/${file}` }));
  return [
    { name: FIRST_STEPS.name, file: 'README.md' },
    ...operations,
    { name: 'glossary', file: 'docs/glossary.md' },
    { name: 'proof', file: 'docs/proof.md' }
  ];
}

/** All pages. Throws where the Markdown has what the window cannot show. */
export function readDocumentation(): DocumentPage[] {
  const all = sources();
  const byFile = new Map(all.map(({ name, file }) => [file, name]));
  return all.map(({ name, file }) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const [first, ...rest] = marked.lexer(text);
    if (first?.type !== 'heading') throw new Error(`${file} does not begin with a title.`);
    const isReadme = name === FIRST_STEPS.name;
    const title = isReadme ? FIRST_STEPS.title : asTitle(plainText((first as Tokens.Heading).tokens));
    const heading: DocumentNode = { tag: 'h1', id: name, children: [title] };
    const body = new PageTree(file, byFile).blocks(isReadme ? firstSteps(rest) : rest);
    return { name, title, body: [heading, ...body] };
  });
}

/** A page that is named by one command begins like the others. */
function asTitle(heading: string): string {
  return heading.startsWith('winnow ') ? heading : heading.charAt(0).toUpperCase() + heading.slice(1);
}

/** The introduction and the chosen sections; there the program is called as one that is installed. */
function firstSteps(tokens: readonly Token[]): Token[] {
  let isWanted = true;
  return tokens.flatMap((token) => {
    if (token.type === 'heading') {
      isWanted = FIRST_STEPS.sections.includes((token as Tokens.Heading).text);
    }
    if (!isWanted) return [];
    if (token.type !== 'code') return [token];
    return [{ ...token, text: (token as Tokens.Code).text.replaceAll('npm run -s winnow --', 'winnow') }];
  });
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : unescaped(token)))
    .join('');
}

/** The lexer leaves some characters of plain text as entities. */
function unescaped(token: Token): string {
  const text = 'text' in token ? String(token.text) : token.raw;
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** As links to headings name them. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The tokens of one file as elements. */
class PageTree {
  readonly #file: string;
  readonly #pages: ReadonlyMap<string, string>;

  constructor(file: string, pages: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#pages = pages;
  }

  blocks(tokens: readonly Token[]): DocumentNode[] {
    return tokens.flatMap((token) => this.#block(token));
  }

  #block(token: Token): DocumentNode[] {
    switch (token.type) {
      case 'space':
        return [];
      case 'heading': {
        const { depth, tokens } = token as Tokens.Heading;
        const tag = `h${Math.min(depth, 3)}` as DocumentTag;
        return [{ tag, id: idOf(plainText(tokens)), children: this.#inline(tokens) }];
      }
      case 'paragraph': {
        const children = this.#inline((token as Tokens.Paragraph).tokens);
        return children.length === 0 ? [] : [{ tag: 'p', children }];
      }
      case 'text': {
        const { tokens } = token as Tokens.Text;
        return tokens ? this.#inline(tokens) : [unescaped(token)];
      }
      case 'code':
        return [{ tag: 'pre', children: [(token as Tokens.Code).text] }];
      case 'blockquote':
        return [{ tag: 'blockquote', children: this.blocks((token as Tokens.Blockquote).tokens) }];
      case 'hr':
        return [{ tag: 'hr', children: [] }];
      case 'list': {
        const { ordered, items } = token as Tokens.List;
        const children = items.map(({ tokens }): DocumentNode => ({
          tag: 'li',
          children: this.blocks(tokens)
        }));
        return [{ tag: ordered ? 'ol' : 'ul', children }];
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): DocumentNode => ({
          tag: 'tr',
          children: cells.map(({ tokens }) => ({ tag, children: this.#inline(tokens) }))
        });
        const body: DocumentNode = { tag: 'tbody', children: rows.map((cells) => row(cells, 'td')) };
        // Some tables have no titles; an empty row of them would only be read out.
        const isTitled = header.some(({ text }) => text !== '');
        const head: DocumentNode[] = isTitled ? [{ tag: 'thead', children: [row(header, 'th')] }] : [];
        return [{ tag: 'table', children: [...head, body] }];
      }
      case 'html': // a comment, for the programs that write parts of a page
        if (/^<!--(?:(?!-->)[\s\S])*-->\s*$/.test(token.raw)) return [];
        throw this.#unknown(token);
      default:
        throw this.#unknown(token);
    }
  }

  #inline(tokens: readonly Token[]): DocumentNode[] {
    return tokens.flatMap((token): DocumentNode[] => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return [unescaped(token).replaceAll('\n', ' ')];
        case 'codespan':
          return [{ tag: 'code', children: [(token as Tokens.Codespan).text] }];
        case 'strong':
        case 'em':
          return [{ tag: token.type, children: this.#inline((token as Tokens.Strong).tokens) }];
        case 'br':
          return [{ tag: 'br', children: [] }];
        case 'link':
          return [this.#link(token as Tokens.Link)];
        case 'image': // the window is the picture
          return [];
        default:
          throw this.#unknown(token);
      }
    });
  }

  #unknown({ raw }: Token): Error {
    return new Error(`${this.#file} has Markdown that the window cannot show: ${raw.slice(0, 80)}`);
  }

  #link({ href, tokens }: Tokens.Link): DocumentNode {
    const children = this.#inline(tokens);
    if (/^[a-z]+:/.test(href)) return { outside: href, children };
    const [target = '', section] = href.split('#');
    const file = target === '' ? this.#file : path.posix.join(path.posix.dirname(this.#file), target);
    const page = this.#pages.get(file);
    return page === undefined ? { outside: file, children } : { page, section: section ?? null, children };
  }
}
