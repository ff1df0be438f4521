/** What verification says of the golden databases: damage exactly where the server refuses or rebuilds. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase, type Verification } from '../../src-core/verify/verify-database.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from '../support/golden.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

async function verify(dataDirectory: string): Promise<Verification> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    return await verifyDatabase({ database, quick: false, control: uncontrolled() });
  } finally {
    database.close();
  }
}

const LAST_TABLE = 'ef4c908d-5089-4556-91c3-2f9342c1aef4';
const HASH = ['damage chunkHashMismatch chunk-000005.000000'];
const HASH_AND_RECORD = [...HASH, 'damage recordInvalid chunk-000005.000000'];
const HEADER = ['damage chunkHeaderInvalid chunk-000005.000000'];

const DAMAGED: Record<string, string[]> = {
  // A payload of the chunk being written: no hash covers it yet, and the server does not notice either.
  'damaged-a-in-last-ongoing-chunk': [],
  'damaged-a-padding-after-data': HASH,
  'damaged-a-record-data-byte': HASH,
  'damaged-a-record-length-prefix': HASH_AND_RECORD,
  'damaged-a-record-length-prefix-skipverify': HASH_AND_RECORD,
  'damaged-b-footer-completed-flag': ['damage chunkNotCompleted chunk-000005.000000'],
  'damaged-b-footer-md5': HASH,
  'damaged-b-footer-physical-size-skipverify': HASH_AND_RECORD,
  'damaged-b-footer-unused-byte': HASH,
  'damaged-c-missing-last-chunk': ['damage chunkMissing chunk-000015.000000'],
  'damaged-c-missing-middle-chunk': ['damage chunkMissing chunk-000007.000000'],
  'damaged-d-last-chunk-truncated-above-writer': ['hint chunkShort chunk-000015.000000'],
  'damaged-d-last-chunk-truncated-file-below-writer': [
    'damage chunkTruncated chunk-000015.000000',
    'damage recordInvalid chunk-000015.000000'
  ],
  'damaged-e-bloomfilter-byte': [`hint filterInvalid ${LAST_TABLE}.bloomfilter`],
  'damaged-e-bloomfilter-missing': [`hint filterMissing ${LAST_TABLE}.bloomfilter`],
  'damaged-e-ptable-entry-byte-skipindexverify': [`damage tableHashMismatch ${LAST_TABLE}`],
  'damaged-e-ptable-header-byte': [`damage tableInvalid ${LAST_TABLE}`],
  'damaged-e-ptable-version-byte': [`damage tableInvalid ${LAST_TABLE}`],
  'damaged-f-extra-unknown-file-in-index': ['hint orphanFile 11111111-2222-3333-4444-555555555555'],
  'damaged-f-indexmap-missing': ['damage indexMapMissing indexmap'],
  'damaged-f-ptable-missing': ['damage tableMissing 4b177c80-0026-43e0-a13e-1e2d6e7be6c2'],
  'damaged-g-extra-newer-bogus-version': [
    'damage chunkHeaderInvalid chunk-000002.000001',
    'hint supersededChunk chunk-000002.000000'
  ],
  'damaged-g-extra-old-version': ['hint supersededChunk chunk-000002.000000'],
  'damaged-h-all-chk-missing': [
    'damage checkpointMissing writer.chk',
    'hint checkpointMissing chaser.chk',
    'hint checkpointMissing epoch.chk',
    'hint checkpointMissing proposal.chk',
    'hint checkpointMissing truncate.chk'
  ],
  'damaged-h-chaser-behind': ['hint chaserBehind chaser.chk'],
  'damaged-h-epoch-chk-missing': ['hint checkpointMissing epoch.chk'],
  'damaged-h-epoch-minus-1': ['hint epochUnknown epoch.chk'],
  'damaged-h-truncate-and-proposal-missing': [
    'hint checkpointMissing proposal.chk',
    'hint checkpointMissing truncate.chk'
  ],
  'damaged-h-truncate-set': ['hint truncatePending truncate.chk'],
  'damaged-h-writer-behind-chaser': [
    'damage chaserBeyondWriter chaser.chk',
    'damage writerCheckpointInsideRecord writer.chk'
  ],
  'damaged-h-writer-beyond-10-chunks': [
    'damage chunkNotCompleted chunk-000015.000000',
    'damage chunkMissing chunk-000016.000000'
  ],
  'damaged-h-writer-chk-missing': ['damage checkpointMissing writer.chk'],
  'damaged-h-writer-mid-record': ['damage writerCheckpointInsideRecord writer.chk'],
  'damaged-h-writer-plus-100': ['damage writerCheckpointBeyondEnd writer.chk'],
  'damaged-i-header-chunk-number': HEADER,
  'damaged-i-header-magic': HEADER,
  'damaged-i-header-version': HEADER,
  'damaged-j-posmap-byte-scavenged-skipverify': [
    'damage chunkHashMismatch chunk-000002.000001',
    'damage recordInvalid chunk-000002.000001'
  ],
  'damaged-k-index-ahead-after-truncation': [
    'hint truncatePending truncate.chk',
    'hint indexAheadOfLog indexmap'
  ],
  'damaged-l-index-dir-missing': ['hint indexMissing null'],
  'damaged-l-read-only-chunk-files': [],
  'damaged-l-stream-existence-missing': [
    'hint existenceFilterMissing stream-existence/streamExistenceFilter.dat'
  ]
};

describe('a damaged golden database', () => {
  const names = goldenNames().filter((name) => name.startsWith('damaged-'));

  it('has a line in the table above', () => expect(Object.keys(DAMAGED).sort()).toEqual(names));

  it.each(names)('%s', async (name) => {
    const { findings, ok } = await verify(unpackDamaged(name));
    expect(findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`)).toEqual(DAMAGED[name]);
    expect(ok).toBe(!DAMAGED[name]!.some((line) => line.startsWith('damage')));
    for (const { message, remedy } of findings) expect(message.length * remedy.length).toBeGreaterThan(0);
    for (const { severity, code, command } of findings) {
      const rebuilds = /^(table|indexMap)/.test(code);
      expect(command).toBe(severity === 'hint' ? null : rebuilds ? 'winnow index rebuild' : 'winnow repair');
    }
  });
});

describe('a sound golden database', () => {
  const sound = goldenNames()
    .filter((name) => !/^(damaged|truncate|old-ptables|scavdb)/.test(name))
    .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })));

  it.each(sound)('$name/$folder is free of damage', async ({ name, folder }) => {
    const { findings, ok, checked } = await verify(unpackDatabase({ name, folder }));
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(ok).toBe(true);
    expect(checked.records).toBeGreaterThan(0);
  });
});

describe('a truncation that waits for the next start', () => {
  it('is damage where it deletes every chunk although all checkpoints say zero', async () => {
    const dataDirectory = unpackTruncated('truncate-inside-scavenged-merged-chunk');
    for (const name of ['writer', 'chaser', 'epoch', 'proposal', 'truncate'])
      writeFileSync(path.join(dataDirectory, `${name}.chk`), Buffer.alloc(8));
    const { findings, ok } = await verify(dataDirectory);
    expect(ok).toBe(false);
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'damage',
        message: expect.stringContaining('deletes the whole log') as unknown
      })
    );
  });

  it.each([
    ['truncate-middle-of-log', 'hint', /cuts the last 536503 bytes/],
    ['truncate-equals-writer', 'hint', /cuts nothing/],
    ['truncate-beyond-writer', 'hint', /cuts nothing/],
    ['truncate-zero', 'damage', /deletes the whole log/]
  ] as const)('%s is named', async (name, severity, message) => {
    const { findings } = await verify(unpackTruncated(name));
    expect(findings).toMatchObject([{ severity, code: 'truncatePending', file: 'truncate.chk', message }]);
  });
});
