/** No component has visible words of its own: they would stay English in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../../src-renderer');
/** Attributes that people see or hear. */
const SPOKEN =
  /^(?:title|placeholder|label|alt|hint|aria-label|aria-description|aria-valuetext|aria-roledescription)$/;
/** The same in every language: names, units, an example. */
const SAME = /^(?:.*· Winnow|https:\/\/node1:2113|.*F\d+\)|MiB|KiB)$/;

type Node = Record<string, unknown> & { type?: string };

function ownWords(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const found: string[] = [];
  const look = (value: unknown, attribute: string | null): void => {
    if (Array.isArray(value)) return value.forEach((one) => look(one, attribute));
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'Text') {
      const text = String(node['data']).trim();
      const isSeen = attribute === null || SPOKEN.test(attribute);
      if (isSeen && /\p{L}{2}/u.test(text) && !SAME.test(text)) found.push(`${file}: ${text}`);
    }
    const isNamed = node.type === 'Attribute' || node.type === 'StyleDirective';
    const inside = isNamed ? String(node['name']) : node.type === 'Fragment' ? null : attribute;
    for (const [name, inner] of Object.entries(node)) if (name !== 'metadata') look(inner, inside);
  };
  const root: AST.Root = parse(source, { modern: true });
  look(root.fragment, null);
  return found;
}

test('no component has words of its own', () => {
  const components = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svelte')
  );
  expect(components.length).toBeGreaterThan(200);
  expect(components.flatMap(ownWords)).toEqual([]);
});
