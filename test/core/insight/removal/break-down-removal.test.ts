/** What a plan removes, by rule and stream: by what is known of chunks or by the log, and only of the files of the plan. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { breakDownRemoval } from '../../../../src-core/insight/removal/break-down-removal.ts';
import { RemovalTally } from '../../../../src-core/insight/removal/removal-tally.ts';
import { planScavenge } from '../../../../src-core/scavenge/run-scavenge.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../../support/scavenge-environment.ts';
import { AskedLog, event } from '../explain/asked-log.ts';

let asked: AskedLog;
beforeEach(() => {
  asked = new AskedLog(128 * 1024);
  for (const stream of ['b', 'a']) {
    asked.events.append(stream, [event(), event(), event()]);
    asked.events.setMetadata(stream, '{"$maxCount":1}');
  }
  asked.events.append('gone', [event()]);
  asked.events.hardDelete('gone');
  for (let i = 0; i < 300; i++) asked.events.append(`kept-${i}`, [event(1)]);
  asked.finish();
});
afterEach(() => asked.remove());

const request = () => asked.request({ scavengePoint: 'detached', alwaysKeepScavenged: true });

/** A machine so slow that at every look the slice of time is over. */
function slow(): { operation: OperationControl; turns: () => number } {
  let elapsedMs = 0;
  let turns = 0;
  const operation = new OperationControl({
    elapsedMs: () => (elapsedMs += 1000),
    yieldTurn: () => {
      turns++;
      return Promise.resolve();
    }
  });
  return { operation, turns: () => turns };
}

describe('the sums of a plan', () => {
  it('are the same by what is known of chunks and by the log, with pauses on a slow machine', async () => {
    const plan = await planScavenge(request(), scavengeEnvironment());
    const { fileSystem, newGuid } = asked;
    const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const byLog = await breakDownRemoval({ request: request(), plan, top: 10 }, scavengeEnvironment());
    const { operation, turns } = slow();
    const environment = scavengeEnvironment({ operation, digests });
    expect(await breakDownRemoval({ request: request(), plan, top: 10 }, environment)).toEqual(byLog);
    expect(turns()).toBeGreaterThan(0);
    expect(byLog).toMatchObject({ records: 5 });
    expect(byLog?.byRule.map(({ rule, records }) => [rule, records])).toEqual([
      ['hardDelete', 1],
      ['maxCount', 4]
    ]);
    // Streams with as many bytes come in the order of their names.
    expect(byLog?.byStream.items.map(({ name }) => name)).toEqual(['a', 'b', 'gone']);
  });

  it('are not given where the files are no longer those of the plan', async () => {
    const plan = await planScavenge(request(), scavengeEnvironment());
    const point = plan.scavengePoint!;
    const broken = [
      { ...plan, recordsDiscarded: plan.recordsDiscarded + 1 },
      { ...plan, scavengePoint: { ...point, position: point.position + 1 } },
      { ...plan, scavengePoint: null }
    ];
    for (const other of broken)
      expect(
        await breakDownRemoval({ request: request(), plan: other, top: 10 }, scavengeEnvironment())
      ).toBeUndefined();
  });
});

describe('a plan that counts what it removes while it judges', () => {
  const newDigests = (directory?: string) => {
    const { fileSystem, newGuid } = asked;
    return new ChunkDigests({ fileSystem, newGuid, threads: 1, ...(directory ? { directory } : {}) });
  };

  it('finds the same as who breaks it down, also in bits on a slow machine', async () => {
    for (const unsafeIgnoreHardDeletes of [false, true]) {
      const asks = { ...request(), unsafeIgnoreHardDeletes };
      const tally = new RemovalTally({ top: 2 });
      const { operation } = slow();
      const plan = await planScavenge(asks, scavengeEnvironment({ operation, digests: newDigests(), tally }));
      const removal = await breakDownRemoval({ request: asks, plan, top: 2 }, scavengeEnvironment());
      expect(removal?.byStream).toMatchObject({ itemCount: 3, items: [{ name: 'a' }, { name: 'b' }, {}] });
      expect(tally.removalOf(plan)).toEqual(removal);
    }
  });

  it('counts nothing of a chunk that stays, since its new file would not be smaller', async () => {
    const tally = new RemovalTally({ top: 2 });
    const asks = { ...request(), alwaysKeepScavenged: false };
    const plan = await planScavenge(asks, scavengeEnvironment({ digests: newDigests(), tally }));
    expect(plan.chunks.map(({ decision }) => decision)).toEqual(['keptLarger']);
    expect(plan.recordsDiscarded).toBe(0);
    expect(tally.removalOf(plan)).toMatchObject({ records: 0, byRule: [], byStream: { items: [] } });
  });

  it('leaves it to who breaks it down where chunks are read, were judged before or names are too many', async () => {
    const directory = temporaryDirectory();
    try {
      const counted = async (digests: ChunkDigests | undefined, mostNames?: number) => {
        const tally = new RemovalTally({ top: 2, mostNames });
        const plan = await planScavenge(request(), scavengeEnvironment({ digests, tally }));
        return tally.removalOf(plan)?.records;
      };
      expect(await counted(undefined)).toBeUndefined();
      expect(await counted(newDigests(), 2)).toBeUndefined();
      expect(await counted(newDigests(directory))).toBe(5);
      expect(readdirSync(directory).filter((name) => name.endsWith('.removed'))).toHaveLength(1);
      expect(await counted(newDigests(directory))).toBeUndefined();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('of a category', () => {
  const counted = async (digests?: ChunkDigests) => {
    const plan = await planScavenge(request(), scavengeEnvironment({ digests }));
    return breakDownRemoval({ request: request(), plan, top: 10 }, scavengeEnvironment({ digests }));
  };

  beforeEach(() => {
    asked.remove();
    asked = new AskedLog(128 * 1024);
    for (const [stream, count] of [
      ['order-1', 4],
      ['cart-1', 2],
      ['order-2', 3],
      ['alone', 2]
    ] as const) {
      asked.events.append(
        stream,
        Array.from({ length: count }, () => event())
      );
      asked.events.setMetadata(stream, '{"$maxCount":1}');
    }
    asked.finish();
  });

  it('as much is removed as of its streams together; streams without a category are one', async () => {
    const removal = await counted();
    const items = removal!.byCategory.items.map(({ name, streams, records }) => [name, streams, records]);
    expect(items).toEqual([
      ['order', 2, 5],
      ['cart', 1, 1],
      ['(no category)', 1, 1]
    ]);
    expect(removal!.byCategory.itemCount).toBe(3);
    const bytes = (of: readonly { bytes: number }[]) => of.reduce((sum, item) => sum + item.bytes, 0);
    expect(bytes(removal!.byCategory.items)).toBe(removal!.bytes);
    expect(bytes(removal!.byStream.items)).toBe(removal!.bytes);
  });

  it('what is known is not written again by the next question', async () => {
    const { fileSystem, newGuid } = asked;
    const directory = temporaryDirectory();
    try {
      const digests = () => new ChunkDigests({ fileSystem, newGuid, threads: 1, directory });
      const written = () =>
        readdirSync(directory)
          .filter((name) => name.endsWith('.removed'))
          .map((name) => [name, statSync(join(directory, name)).ino]);
      const first = await counted(digests());
      const before = written();
      expect(before).toHaveLength(1);
      expect(await counted(digests())).toEqual(first);
      expect(written()).toEqual(before);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
