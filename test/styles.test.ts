/**
 * A style of a view that applies everywhere (`:global(.name)` with nothing of the component before it) is loaded with
 * its view and stays. A class of that name anywhere else would look different after the view has been seen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..', 'src-renderer');
const components = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.svelte'))
  .map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const [markup = '', style = ''] = text.replace(/<script[\s\S]*?<\/script>/g, '').split('<style>');
    return { file, markup, style: withoutPrint(style.replaceAll(/\/\*[\s\S]*?\*\//g, '')) };
  });

/** What is printed is one view and the whole page around it. */
function withoutPrint(style: string): string {
  const [before = '', ...printed] = style.split('@media print {');
  return before + printed.map((rest) => rest.slice(rest.indexOf('\n  }\n'))).join('');
}

/** Names of classes that the component styles wherever they are. */
function namesStyledEverywhere(style: string): Set<string> {
  const names = new Set<string>();
  for (const [, selectors = ''] of style.matchAll(/([^{}]+)\{/g)) {
    for (const selector of selectors.split(',')) {
      const name = /^\s*:global\(\.([a-z][\w-]*)(?!\.|[\w-])/.exec(selector)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

const usesClass = (markup: string, name: string): boolean =>
  [...markup.matchAll(/\bclass(?::([\w-]+)|=(?:"([^"]*)"|\{([^}]*)\}))/g)].some(([, one, words, list]) =>
    `${one ?? ''} ${words ?? ''} ${list ?? ''}`.split(/[^\w-]+/).includes(name)
  );

test('a class that a view styles everywhere is used by nothing else', () => {
  const views = components.filter(({ file }) => file.startsWith(`views${path.sep}`));
  const styled = views.flatMap(({ file, style }) =>
    [...namesStyledEverywhere(style)].map((name) => ({ file, name }))
  );
  expect(styled.length).toBeGreaterThan(10);
  const clashes = styled.flatMap(({ file, name }) =>
    components
      .filter((other) => other.file !== file && usesClass(other.markup, name))
      .map((other) => `.${name} of ${file} is used by ${other.file}`)
  );
  expect(clashes).toEqual([]);
});
