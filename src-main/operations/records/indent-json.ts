/**
 * JSON with line breaks and indents, every value as written: numbers beyond a double keep their digits, repeated names
 * stay. Returns null for anything but JSON, and for JSON that is nested too deeply: the indents
 * alone of a small record could fill the memory.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';
const MOST_DEPTH = 256;

export function indentJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null; // most payloads that are not JSON are simply something else
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
