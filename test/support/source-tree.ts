/**
 * The project's own source as data: files, their text and who imports whom. Reads imports by pattern, not by a
 * compiler: the patterns cover what our own style allows (static imports and exports, `import()`, and workers
 * named by `new URL('./x.js', import.meta.url)`), in TypeScript and in Svelte files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface ImportLine {
  /** As written: a relative path, a package or `node:...`. */
  specifier: string;
  /** The imported file, relative to the root; undefined for packages. */
  target: string | undefined;
  isTypeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  name: string;
  text: string;
  imports: ImportLine[];
}

const SOURCE = /\.(ts|mjs|svelte|css|html)$/;
const PATTERNS = [
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"]+)['"]/gm,
  /\bimport\((\s*)['"]([^'"]+)['"]\)/g,
  /new URL\((\s*)['"](\.[^'"]+)['"],\s*import\.meta\.url\)/g,
  /^@import\s+(\s*)['"]([^'"]+)['"]/gm,
  /<(?:script|link)\b[^>]*?(\s)(?:src|href)="(\.[^"]+)"/g
];

/** All source files below `folders`, sorted by name. */
export function readSourceTree(root: string, folders: readonly string[]): SourceFile[] {
  const names = folders.flatMap((folder) => filesBelow(root, folder)).sort();
  return names.map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    return { name, text, imports: importsOf(name, text) };
  });
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, name);
    return SOURCE.test(name) ? [name] : [];
  });
}

function importsOf(name: string, text: string): ImportLine[] {
  return PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const specifier = match[2] ?? '';
      return {
        specifier,
        target: specifier.startsWith('.') ? targetOf(name, specifier) : undefined,
        isTypeOnly: name.endsWith('.d.ts') || (match[1] ?? '').startsWith('type')
      };
    })
  );
}

/** Built code names its worker by `.js`; in the source it is the `.ts` beside. */
function targetOf(importer: string, specifier: string): string {
  const clean = specifier.replace(/[?#].*$/, '');
  return path.posix.join(path.posix.dirname(importer), clean).replace(/\.js$/, '.ts');
}

/** Every file that `entry` loads when it runs: value imports, followed to their end. */
export function filesReachedFrom(entry: string, files: readonly SourceFile[]): Set<string> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const file = byName.get(name);
    if (!file || reached.has(name)) return;
    reached.add(name);
    for (const { target, isTypeOnly } of file.imports) if (target !== undefined && !isTypeOnly) visit(target);
  };
  visit(entry);
  return reached;
}

/** Files that import each other, directly or through others; each circle once, sorted. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): number => {
    const own = order.size;
    order.set(name, own);
    let low = own;
    open.push(name);
    for (const { target } of byName.get(name)?.imports ?? []) {
      if (target === undefined || !byName.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(name));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const { name } of files) if (!order.has(name)) visit(name);
  return circles;
}
