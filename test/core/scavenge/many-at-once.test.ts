/** What accumulation and calculation remember in tables of bounded size, with more than these hold. */
import { expect, it } from 'vitest';
import { parseStreamMetadata } from '../../../src-core/records/stream-metadata.ts';
import { CutoffMemo } from '../../../src-core/scavenge/decisions/cutoff-memo.ts';
import { cutoffOf } from '../../../src-core/scavenge/decisions/should-discard.ts';
import { MetadataColumns } from '../../../src-core/scavenge/state/waiting/metadata-columns.ts';
import { ParsedMetadata } from '../../../src-core/scavenge/state/waiting/parsed-metadata.ts';
import { Prng } from '../../support/prng.ts';

it('metadata are read as if each were parsed again, long ones and thousands of different ones too', () => {
  const random = new Prng(1);
  const parsed = new ParsedMetadata();
  const texts = Array.from({ length: 3000 }, (_, i) => {
    const padding = i % 10 === 0 ? { padding: 'x'.repeat(300) } : {};
    return JSON.stringify({ $maxCount: 1 + random.below(1000), $maxAge: i, ...padding });
  });
  for (let i = 0; i < 10_000; i++) {
    const data = Buffer.from(random.pick(texts));
    const recordVersion = random.below(2);
    expect(parsed.of(data, recordVersion)).toEqual(parseStreamMetadata(data, { recordVersion }));
  }
});

it('metadata that wait keep their facts and names, however many there are', () => {
  const columns = new MetadataColumns();
  const nameOf = (i: number): string => (i % 3 === 0 ? `$$$$stream-${i}` : `$$${'näme-'.repeat(4)}${i}`);
  const metadata = parseStreamMetadata(Buffer.from('{"$maxCount":2}'), { recordVersion: 1 });
  const COUNT = 5000;
  for (const round of [1, 2]) {
    for (let i = 0; i < COUNT; i++) {
      const bytes = Buffer.from(`before${nameOf(i)}behind`);
      const head = {
        bytes,
        streamStart: 6,
        streamEnd: bytes.length - 6,
        position: i * 2 ** 33,
        eventNumber: i * round,
        flags: i
      };
      columns.add(head as Parameters<MetadataColumns['add']>[0], {
        metastream: { high: i, low: i + 1 },
        original: { high: i + 2, low: i + 3 },
        metadata,
        isFirst: i % 2 === 0
      });
    }
    expect(columns.count).toBe(COUNT);
    for (let i = 0; i < COUNT; i++) {
      const found = [
        columns.metastreamHigh[i],
        columns.metastreamLow[i],
        columns.originalHigh[i],
        columns.originalLow[i],
        columns.position[i],
        columns.eventNumber[i],
        columns.flags[i],
        columns.isFirst[i],
        columns.isInOrder[i],
        columns.metastreamAt(i),
        columns.originalAt(i),
        columns.isOfMetastream(i)
      ];
      const name = nameOf(i);
      const hashes = [i, i + 1, i + 2, i + 3];
      const facts = [i * 2 ** 33, i * round, i, i % 2 === 0 ? 1 : 0, 1];
      expect(found).toEqual([...hashes, ...facts, name, name.slice(2), i % 3 === 0]);
    }
    columns.clear();
  }
});

it('cut-offs are those of their ages, also of more ages than are remembered', () => {
  const random = new Prng(2);
  const now = 638_000_000_000_000_000n;
  const memo = new CutoffMemo(now);
  const found = { isSet: false, high: 0, low: 0 };
  for (let i = 0; i < 20_000; i++) {
    const age = random.below(6000) - 1;
    memo.read(age, found);
    const wanted = cutoffOf(now, age, { isSet: false, high: 0, low: 0 });
    expect(found.isSet).toBe(age >= 0);
    if (age >= 0) expect(found).toEqual(wanted);
  }
});
