/**
 * The files of the page: those of the built window, read once at startup. A request names one of them exactly or
 * gets nothing: no path from a request is ever joined to one of the file system. Kept in memory, so that a build that
 * replaces them under a running service does not serve half of two builds.
 */
import { PAGE_TYPES } from '../../contract/page-types.ts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../../src-core/index.ts';

export interface PageFile {
  type: string;
  content: Buffer;
}

/** By the path of their URL; `/` is index.html. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The directory of the window's files in a build, beside the running file. */
export function builtPageDirectory(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../../out/renderer/' : '../renderer/';
  return path.join(import.meta.dirname, fromHere);
}

/** Throws InvalidRequest if the window was not built. */
export function readPageFiles(directory: string): PageFiles {
  const files = new Map<string, PageFile>();
  for (const name of namesIn(directory)) {
    const type = PAGE_TYPES[path.extname(name)];
    if (type === undefined) continue;
    const url = `/${name.split(path.sep).join('/')}`;
    const content = readFileSync(path.join(directory, name));
    files.set(url === '/index.html' ? '/' : url, { type, content });
  }
  if (!files.has('/')) throw notBuilt(directory);
  return files;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  } catch (cause) {
    throw notBuilt(directory, cause);
  }
}

function notBuilt(directory: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `The files of the page are not in ${directory}.`,
    remedy: 'Build them ("npm run build"), or leave --ui out.',
    details: { field: '--ui', file: directory },
    ...(cause === undefined ? {} : { cause })
  });
}
