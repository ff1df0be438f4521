/** Sentences of the engine stand alone at every door; in the window several stand on one page, where each fact is told once. Pure. */

/** `text` without the sentences that the page tells elsewhere. What would leave nothing, or half a sentence, stays whole. */
export function withoutTold(text: string, told: Iterable<string>): string {
  let left = text;
  for (const sentence of told) {
    if (sentence === '') continue;
    const at = left.indexOf(sentence);
    const before = left.slice(0, Math.max(0, at)).trimEnd();
    if (at === -1 || (before !== '' && !before.endsWith('.'))) continue;
    const rest = `${before} ${left.slice(at + sentence.length).trimStart()}`.trim();
    if (rest !== '') left = rest;
  }
  return left;
}

/** A remedy without its last sentence where that is about the server, and what the server does stands above it. */
export function remedyAlone(remedy: string, isServerKnown: boolean): string {
  return isServerKnown ? remedy.replace(/(?<=\.) The server [^.]+\.$/, '') : remedy;
}
