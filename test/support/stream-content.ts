/** What readers get of a database: every stream that its log names, read through the index, with hashes of the records. */
import { hash } from 'node:crypto';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readStreamForward } from '../../src-core/index/read-stream.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';

const PAGE_EVENTS = 1000;
/** A moment behind all golden databases, so that ages are judged alike. */
const NOW = 639_300_000_000_000_000n;

/** By stream: the result of reading it, then `number position sha256` of each event. */
export type StreamContent = Map<string, string[]>;

export async function streamContentOf(fileSystem: FileSystem, dataDirectory: string): Promise<StreamContent> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { log } = database;
    const names = new Set<string>();
    const payloads = new Map<number, string>();
    for (const cursor = log.cursor(); cursor.next();) {
      const { kind, position, payload } = cursor.record;
      if (kind !== 'prepare') continue;
      names.add(cursor.record.stream);
      payloads.set(position, hash('sha256', payload, 'hex'));
    }
    const index = await database.openIndex(uncontrolled());
    const content: StreamContent = new Map();
    for (const stream of [...names].sort()) {
      const lines: string[] = [];
      for (let from = 0; ;) {
        const page = readStreamForward(index, { stream, from, count: PAGE_EVENTS, now: NOW });
        if (lines.length === 0) lines.push(page.result);
        for (const { number, position } of page.events) {
          lines.push(`${number} ${position} ${payloads.get(position) ?? 'no prepare'}`);
        }
        if (page.isEndOfStream || page.nextEventNumber <= from) break;
        from = page.nextEventNumber;
      }
      content.set(stream, lines);
    }
    return content;
  } finally {
    database.close();
  }
}

/** Lines of `expected` that `actual` has not, and the other way round. */
export function differenceOf(
  expected: StreamContent,
  actual: StreamContent
): { missing: number; surplus: number } {
  const linesOf = (content: StreamContent) =>
    new Set([...content].flatMap(([stream, lines]) => lines.map((line) => `${stream} ${line}`)));
  const wanted = linesOf(expected);
  const found = linesOf(actual);
  const onlyIn = (one: Set<string>, other: Set<string>) => [...one].filter((line) => !other.has(line)).length;
  return { missing: onlyIn(wanted, found), surplus: onlyIn(found, wanted) };
}
