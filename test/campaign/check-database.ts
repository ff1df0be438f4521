/** Holds a scavenged database against the model: no record too few, none too many, and readers find what is left. */
import { openStreamIndex } from '../../src-core/index/stream-index.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../src-core/units/event-number.ts';
import { scavengeEnvironment } from '../support/scavenge-environment.ts';
import type { RandomLog } from './random-log.ts';
import type { HasherName } from './weak-hash.ts';

const fileSystem = new NodeFileSystem();

/** Sentences about what is wrong; none when all is as it must be. */
export async function faultsOf(log: RandomLog, hasher: HasherName): Promise<string[]> {
  const database = openDatabase({ fileSystem, dataDirectory: log.dataDirectory });
  try {
    const faults = [...recordFaults(database.log, log), ...(await indexFaults(database, log, hasher))];
    // Verification knows the real hash only.
    if (hasher === 'real') {
      const { operation } = scavengeEnvironment();
      const { findings } = await verifyDatabase({ database, quick: false, control: operation });
      for (const { severity, code, message } of findings) {
        if (severity === 'damage') faults.push(`verification: ${code}: ${message}`);
      }
    }
    return faults;
  } finally {
    database.close();
  }
}

function recordFaults(log: ReturnType<typeof openDatabase>['log'], { survivors }: RandomLog): string[] {
  const faults: string[] = [];
  const found = new Set<number>();
  const known = new Set(survivors.records.map(({ position }) => position));
  const cursor = log.cursor();
  while (cursor.next()) {
    const { position } = cursor.record;
    found.add(position);
    if (!known.has(position)) faults.push(`a record at ${position} that nobody wrote`);
  }
  cursor.close();
  for (const { position, stream, number, kind, fate } of survivors.records) {
    const name = `${kind} ${number} of "${stream}" at ${position}`;
    if (fate === 'stays' && !found.has(position)) faults.push(`lost: ${name}`);
    if (fate === 'gone' && found.has(position)) faults.push(`left behind: ${name}`);
  }
  return faults;
}

async function indexFaults(
  database: ReturnType<typeof openDatabase>,
  { survivors, hasher: hash }: RandomLog,
  hasher: HasherName
): Promise<string[]> {
  const faults: string[] = [];
  const { indexDirectory, log } = database;
  const index = await openStreamIndex({ fileSystem, directory: indexDirectory, log, hasher: hash });
  try {
    if (index.directory.problems.some(({ severity }) => severity === 'damage'))
      faults.push('the index is damaged');
    const last = new Map<string, number>();
    for (const { stream, number, position, isVisible } of survivors.records) {
      if (!isVisible || number === null) continue;
      last.set(stream, Math.max(last.get(stream) ?? -1, number));
      const led = index.firstWritten(stream, number);
      if (led !== position)
        faults.push(`the index leads to ${led} for event ${number} of "${stream}" at ${position}`);
    }
    // A stream with many colliding entries is given up by readers, as the server does.
    if (hasher === 'weak') return faults;
    for (const stream of new Set(survivors.records.map((record) => record.stream))) {
      if (stream === '') continue;
      const expected = isDeleted(stream, last) ? DELETED_STREAM_EVENT_NUMBER : (last.get(stream) ?? -1);
      const number = lastOf(() => index.lastEventNumber(stream));
      if (number !== expected)
        faults.push(`the last event of "${stream}" is ${number} instead of ${expected}`);
    }
    return faults;
  } finally {
    index.close();
  }
}

/** It, or the stream whose metadata it holds. */
function isDeleted(stream: string, last: ReadonlyMap<string, number>): boolean {
  if (last.get(stream) === DELETED_STREAM_EVENT_NUMBER) return true;
  return stream.startsWith('$$') && isDeleted(stream.slice(2), last);
}

function lastOf(action: () => number): number | string {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error.message : 'an error';
  }
}
