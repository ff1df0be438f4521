// Generated parts of a document that is otherwise written by hand: each stands between two comments that name it.

const beginOf = (name) => `<!-- figures: ${name} -->`;
const endOf = (name) => `<!-- end of figures: ${name} -->`;

/**
 * The document with these blocks (text by name) in place of what stood between their marks. A block that is undefined
 * leaves what is there. Throws for a block without its two marks.
 */
export function replaceBlocks(text, blocks) {
  let result = text;
  for (const [name, block] of Object.entries(blocks)) {
    if (block === undefined) continue;
    const begin = result.indexOf(beginOf(name));
    const end = result.indexOf(endOf(name));
    if (begin < 0 || end < begin) throw new Error(`The document has no place for the figures "${name}".`);
    const from = begin + beginOf(name).length;
    result = `${result.slice(0, from)}\n\n${block.trim()}\n\n${result.slice(end)}`;
  }
  return result;
}
