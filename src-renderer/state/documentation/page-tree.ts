/**
 * A page of the documentation as data: a tree of the few elements that its Markdown becomes, made while building
 * (scripts/documentation-plugin.ts). The page draws it element by element, since it turns no text into HTML.
 */
export const DOCUMENT_TAGS = [
  'h1',
  'h2',
  'h3',
  'p',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'pre',
  'code',
  'strong',
  'em',
  'blockquote',
  'br',
  'hr'
] as const;
export type DocumentTag = (typeof DOCUMENT_TAGS)[number];

export interface DocumentElement {
  tag: DocumentTag;
  /** Of a heading: its name in links. */
  id?: string;
  children: DocumentNode[];
}

/** A link to a page of the documentation, perhaps to one of its headings. */
export interface DocumentLink {
  page: string;
  section: string | null;
  children: DocumentNode[];
}

/** A link that leads out of the documentation: shown as text, with where it leads. */
export interface OutsideLink {
  outside: string;
  children: DocumentNode[];
}

export type DocumentNode = string | DocumentElement | DocumentLink | OutsideLink;

export interface DocumentPage {
  /** Its file's name: `scavenge`. */
  name: string;
  title: string;
  body: DocumentNode[];
}

/** The text of a tree, words of neighbouring blocks apart. */
export function textOf(nodes: readonly DocumentNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const text = textOf(node.children);
      return 'tag' in node && !INLINE.has(node.tag) ? `${text} ` : text;
    })
    .join('');
}

const INLINE: ReadonlySet<DocumentTag> = new Set(['code', 'strong', 'em']);
