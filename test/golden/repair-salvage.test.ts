/**
 * What a salvage exports of the damaged golden databases: every record of the sound base that still lies in a file,
 * none that the base does not have, and the holes named.
 */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { SalvageLog } from '../../src-core/repair/salvage-log.ts';
import type { SkippedRange } from '../../src-core/repair/salvage-chunk.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { damageOf, goldenNames, removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

interface Salvaged {
  /** Position and SHA-256 of each payload. */
  records: Map<number, string>;
  skipped: SkippedRange[];
}

function salvage(dataDirectory: string): Salvaged {
  const database = openDatabase({ fileSystem, dataDirectory });
  const log = new SalvageLog(database);
  const salvaged: Salvaged = { records: new Map(), skipped: [] };
  try {
    for (let found = log.next(); found !== 'end'; found = log.next()) {
      if (found === 'record') {
        const { position, payload } = log.record;
        salvaged.records.set(position, createHash('sha256').update(payload).digest('hex'));
      } else if (log.skipped) {
        salvaged.skipped.push(log.skipped);
      }
    }
    return salvaged;
  } finally {
    log.close();
    database.close();
  }
}

/** What is not all of the base: records lost, records whose bytes changed, holes told. */
const PREFIX = { lost: 1, changed: 0, skipped: ['chunk-000005.000000 353540-354193'] };
const NOT_WHOLE: Record<string, { lost: number; changed: number; skipped: string[] }> = {
  'damaged-a-in-last-ongoing-chunk': { lost: 0, changed: 1, skipped: [] },
  'damaged-a-record-data-byte': { lost: 0, changed: 1, skipped: [] },
  'damaged-a-record-length-prefix': PREFIX,
  'damaged-a-record-length-prefix-skipverify': PREFIX,
  'damaged-c-missing-last-chunk': { lost: 163, changed: 0, skipped: ['chunk-000015 983040-1042089'] },
  'damaged-c-missing-middle-chunk': { lost: 189, changed: 0, skipped: ['chunk-000007 458752-524288'] },
  'damaged-d-last-chunk-truncated-file-below-writer': {
    lost: 4,
    changed: 0,
    skipped: ['chunk-000015.000000 1040846-1041089', 'chunk-000015.000000 1041089-1042089']
  },
  'damaged-h-writer-beyond-10-chunks': {
    lost: 0,
    changed: 0,
    skipped: ['chunk-000015.000000 1042089-1048576', 'chunk-000016 1048576-1697449']
  },
  'damaged-h-writer-plus-100': { lost: 0, changed: 0, skipped: ['chunk-000015.000000 1042089-1042189'] }
};

describe('a salvage', () => {
  const names = goldenNames().filter((name) => name.startsWith('damaged-'));

  it.each(names)('of %s', (name) => {
    const base = salvage(unpackDatabase(damageOf(name).base));
    const { records, skipped } = salvage(unpackDamaged(name));
    const invented = [...records.keys()].filter((position) => !base.records.has(position));
    const lost = [...base.records.keys()].filter((position) => !records.has(position));
    const changed = [...records].filter(([position, sha256]) => base.records.get(position) !== sha256);
    expect(invented).toEqual([]);
    expect(base.skipped).toEqual([]);
    expect({
      lost: lost.length,
      changed: changed.length,
      skipped: skipped.map(({ file, from, to }) => `${file} ${from}-${to}`)
    }).toEqual(NOT_WHOLE[name] ?? { lost: 0, changed: 0, skipped: [] });
  });
});
