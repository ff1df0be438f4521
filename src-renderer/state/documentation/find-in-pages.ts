/** The search in the documentation: sections in which all words stand, titles first. */
import { textOf, type DocumentPage } from './page-tree.ts';

export interface PageSection {
  page: string;
  pageTitle: string;
  /** The heading's name in links; null: before the first heading below the title. */
  id: string | null;
  title: string;
  text: string;
}

export interface FoundSection {
  section: PageSection;
  /** A piece of its text around the first hit, with the words that were looked for apart. */
  excerpt: { text: string; isHit: boolean }[];
}

const MOST_FOUND = 60;
/** Characters of an excerpt before the first hit and in all. */
const BEFORE = 40;
const LENGTH = 160;

/** The pages cut at their headings. */
export function sectionsOf(pages: readonly DocumentPage[]): PageSection[] {
  return pages.flatMap((page) => {
    const sections: PageSection[] = [
      { page: page.name, pageTitle: page.title, id: null, title: page.title, text: '' }
    ];
    for (const node of page.body) {
      const isHeading = typeof node === 'object' && 'tag' in node && /^h[123]$/.test(node.tag);
      if (isHeading && node.tag !== 'h1') {
        sections.push({
          page: page.name,
          pageTitle: page.title,
          id: node.id ?? null,
          title: textOf(node.children),
          text: ''
        });
      } else if (!isHeading) {
        const last = sections.at(-1);
        if (last) last.text += `${textOf([node])} `;
      }
    }
    return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
  });
}

/** The sections that have all words, those with one in their title or in that of their page first. */
export function findInSections(sections: readonly PageSection[], typed: string): FoundSection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = sections.flatMap((section) => {
    const [title, page, text] = [section.title, section.pageTitle, section.text].map((part) =>
      part.toLowerCase()
    ) as [string, string, string];
    if (!words.every((word) => title.includes(word) || page.includes(word) || text.includes(word))) return [];
    const score = words.reduce(
      (sum, word) =>
        sum + (title.includes(word) ? 4 : 0) + (page.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0),
      0
    );
    return [{ section, score }];
  });
  // Sorting is stable: of equal ones the order of the pages holds.
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

function excerptOf(text: string, words: readonly string[]): FoundSection['excerpt'] {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = hits.length === 0 ? 0 : Math.min(...hits);
  // From the beginning of a word.
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = from + LENGTH < text.length ? text.lastIndexOf(' ', from + LENGTH) : text.length;
  const to = end > first ? end : from + LENGTH;
  const piece = text.slice(from, to);
  const pattern = new RegExp(`(${words.map(literally).join('|')})`, 'gi');
  const parts = piece.split(pattern).map((part, index) => ({ text: part, isHit: index % 2 === 1 }));
  return [
    ...(from > 0 ? [{ text: '… ', isHit: false }] : []),
    ...parts.filter(({ text: part }) => part !== ''),
    ...(to < text.length ? [{ text: ' …', isHit: false }] : [])
  ];
}

/** A pattern that finds exactly these characters. */
function literally(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
