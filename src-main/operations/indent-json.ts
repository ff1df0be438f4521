/**
 * JSON with line breaks and indents, every value as it was written: numbers beyond a double keep their digits, names
 * that occur twice stay. What is no JSON gives null, and so does what is nested deeper than anybody reads: the indents
 * alone of a small record could fill the memory.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';
const MOST_DEPTH = 256;

export function indentJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null; // most payloads that are no JSON are simply something else
  }
  let depth = 0;
  let out = '';
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const isEmptyEnd = (token === '}' && before === '{') || (token === ']' && before === '[');
    if (token === '}' || token === ']') {
      depth -= 1;
      if (!isEmptyEnd) out += `\n${INDENT.repeat(depth)}`;
    } else if (before === '{' || before === '[' || before === ',') {
      out += `\n${INDENT.repeat(depth)}`;
    }
    out += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    if (depth > MOST_DEPTH) return null;
    before = token;
  }
  return out;
}
