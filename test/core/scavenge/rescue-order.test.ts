/** The order of a rescue, and the checkpoint of work that is done out of turn. */
import { describe, expect, it } from 'vitest';
import {
  estimateNewFileSize,
  gainOf,
  RescueOrder,
  type RescueCandidate
} from '../../../src-core/scavenge/rescue/rescue-order.ts';
import { RescueBudget } from '../../../src-core/scavenge/rescue/rescue-budget.ts';
import { ScatteredCheckpoint } from '../../../src-core/scavenge/state/scattered-checkpoint.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

function candidate(place: number, fileSize: number, newFileSize: number): RescueCandidate {
  return { place, startNumber: place, fileSize, newFileSize, isExact: false };
}

describe('the order of a rescue', () => {
  it('is by bytes freed for each byte taken, not by bytes freed', () => {
    const order = new RescueOrder([candidate(0, 1000, 500), candidate(1, 100, 10), candidate(2, 1000, 900)]);
    expect(order.waiting.map(({ place }) => place)).toEqual([1, 0, 2]);
  });

  it('is by place where the gain is the same', () => {
    const order = new RescueOrder([candidate(2, 100, 50), candidate(1, 100, 50)]);
    expect(order.waiting.map(({ place }) => place)).toEqual([1, 2]);
  });

  it('passes what does not fit and takes it once there is room', () => {
    const order = new RescueOrder([candidate(0, 1000, 300), candidate(1, 100, 40)]);
    expect(order.take(50)?.place).toBe(1);
    expect(order.take(300)?.place).toBe(0);
    expect(order.take(300)).toBeUndefined();
  });

  it('tries what was only estimated not to fit, once', () => {
    const order = new RescueOrder([candidate(0, 1000, 300)]);
    const tried = order.take(200)!;
    order.putBack(tried, 250);
    expect(order.take(200)).toBeUndefined();
    expect(order.waiting).toMatchObject([{ place: 0, newFileSize: 250, isExact: true }]);
    expect(order.take(250)?.place).toBe(0);
  });

  it('takes a chunk of which all goes for a file of one page', () => {
    const all = estimateNewFileSize({ dataSize: 60_000, recordCount: 100, weight: 200, formatVersion: 3 });
    const half = estimateNewFileSize({ dataSize: 60_000, recordCount: 100, weight: 100, formatVersion: 3 });
    expect(all).toBe(4096);
    expect(half).toBe(32768);
    const fileSize = 65_536;
    expect(gainOf({ fileSize, newFileSize: all })).toBeGreaterThan(gainOf({ fileSize, newFileSize: half }));
  });

  it('does not believe a weight that is more than the chunk holds', () => {
    const size = estimateNewFileSize({ dataSize: 60_000, recordCount: 100, weight: 900, formatVersion: 3 });
    expect(size).toBe(4096);
  });
});

describe('the room of a rescue', () => {
  const budgetOver = (fileSystem: MemoryFileSystem): RescueBudget =>
    new RescueBudget({
      fileSystem,
      dataDirectory: '/db',
      indexDirectory: '/db/index',
      limits: { reserveBytes: 100 },
      isPlan: true,
      sweptBytes: 30
    });

  it('is what is free and what will be swept, less the reserve, and grows with what is freed', () => {
    const fileSystem = new MemoryFileSystem({ capacityBytes: 1000 });
    fileSystem.makeDirectory('/db/index');
    const budget = budgetOver(fileSystem);
    expect([budget.chunkRoom, budget.tableRoom]).toEqual([930, 930]);
    budget.replacedChunk({ bytesBefore: 200, bytesAfter: 50 });
    budget.replacedTable({ bytesBefore: 20, bytesAfter: 10, besideBytes: 5 });
    expect([budget.chunkRoom, budget.tableRoom, budget.freedBytes, budget.peakBytes]).toEqual([
      ...[1090, 1090, 160, 50]
    ]);
    // Without a state that is watched, none finds too little room.
    budget.requireStateRoom(2 ** 40);
  });

  it('is that of the topmost directory where nothing below it is there', () => {
    const fileSystem = new MemoryFileSystem({ capacityBytes: 1000 });
    fileSystem.describe = () => undefined;
    expect(budgetOver(fileSystem).chunkRoom).toBe(930);
  });
});

describe('the checkpoint of work out of turn', () => {
  const finish = (checkpoints: ScatteredCheckpoint, checkpoint: number) => {
    checkpoints.finish({ checkpoint, before: null });
    return checkpoints.take();
  };

  it('waits for the first that is not done, then says the last of those that are', () => {
    const checkpoints = new ScatteredCheckpoint([0, 3, 4, 7]);
    expect(finish(checkpoints, 4)).toBeUndefined();
    expect(finish(checkpoints, 0)).toBe(0);
    expect(finish(checkpoints, 3)).toBe(4);
    expect(finish(checkpoints, 7)).toBe(7);
    expect(checkpoints.take()).toBeUndefined();
  });
});
