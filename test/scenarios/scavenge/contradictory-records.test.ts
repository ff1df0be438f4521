/**
 * Records that contradict themselves, in chunks whose hash fits: no server writes them, and a scavenge that took them for a
 * deletion or a limit would remove events that readers see. It is refused, and nothing has changed.
 */
import path from 'node:path';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../fuzz/database-image.ts';
import { mountFiles, readDatabaseImage } from '../../fuzz/database-image.ts';
import { recordPlaces, type RecordPlace } from '../../fuzz/structures/record-places.ts';
import { sealed } from '../../fuzz/structures/repair-checksums.ts';
import { scavengeOf, stateRoot, withRealState } from '../../fuzz/structures/structured-bases.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { treeOf } from '../../support/restore-fixture.ts';

const CHUNK = 'chunk-000000.000000';
const IS_JSON = 0x100;
const IS_COMMITTED = 0x20;
const STREAM_DELETE = 0x8;
const DATA = 0x1;

let root: string;
beforeEach(() => (root = stateRoot()));
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function withFlags(isWanted: (place: RecordPlace) => boolean, flags: number): Promise<Files> {
  const memory = await writeCrashDatabase({ dataDirectory: '/db', point: { threshold: 0 } });
  const files = new Map(readDatabaseImage(memory, '/db', 'crash').files);
  const bytes = Buffer.from(files.get(CHUNK)!);
  const { fields } = recordPlaces(bytes).find(isWanted)!;
  bytes.writeUInt16LE(flags, fields.find(({ what }) => what === 'flags')!.at);
  return files.set(CHUNK, sealed(new Uint8Array(bytes)));
}

/** Whether the tables hold the record, or the log is read for it before anything else. */
const INDEXES = [
  { index: 'the index', keep: () => true },
  { index: 'only the log', keep: (file: string) => !file.startsWith('index/') }
];

describe('a scavenge', () => {
  const cases = [
    {
      what: 'a deletion with the number of an event',
      place: ({ stream }: RecordPlace) => stream === 'age',
      flags: IS_JSON | IS_COMMITTED | STREAM_DELETE | DATA,
      stream: 'age'
    },
    {
      what: 'metadata that are no event',
      place: ({ stream }: RecordPlace) => stream === '$$count',
      flags: IS_JSON | IS_COMMITTED,
      stream: '$$count'
    }
  ];
  it.each(cases.flatMap((one) => INDEXES.map((other) => ({ ...one, ...other }))))(
    'refuses $what that $index holds',
    async ({ place, flags, stream, keep }) => {
      const dataDirectory = path.join(root, 'db');
      const files = [...(await withFlags(place, flags))].filter(([file]) => keep(file));
      const memory = mountFiles(new Map(files), dataDirectory);
      const before = treeOf(memory, dataDirectory);
      const scavenge = scavengeOf(withRealState(memory, dataDirectory), dataDirectory, {
        scavengePoint: 'existing'
      });
      await expect(scavenge).rejects.toMatchObject({
        code: 'LogCorrupt',
        details: { reason: 'contradictoryRecord', stream }
      });
      expect(treeOf(memory, dataDirectory)).toEqual(before);
    }
  );
});
