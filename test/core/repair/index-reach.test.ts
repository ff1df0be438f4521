/** How far the index says that the log reached, and whether the chaser is behind that. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { indexReach, isChaserBehindIndex } from '../../../src-core/repair/index-reach.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { storageError } from '../../support/memory-file-system.ts';
import { checkpointOf, DATABASE, int64, overwrite, sampleInMemory } from './repair-sample.ts';

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = await sampleInMemory();
});

function asked<T>(ask: (database: ReturnType<typeof openDatabase>) => T): T {
  const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
  try {
    return ask(database);
  } finally {
    database.close();
  }
}

describe('the reach of the index', () => {
  it('is a position of the log', () => {
    const reach = asked(indexReach);
    expect(reach).toBeGreaterThan(0);
    expect(reach).toBeLessThan(checkpointOf(fileSystem, 'writer'));
  });

  it.each(['', 'no map'])('is none of an index whose map is "%s"', (text) => {
    overwrite(fileSystem, 'index/indexmap', Buffer.from(text));
    expect(asked(indexReach)).toBe(-1);
  });

  it('is not known where the disk does not read', () => {
    const open = fileSystem.open.bind(fileSystem);
    fileSystem.open = (file, mode) => {
      if (file.endsWith('/indexmap')) throw storageError('EIO', file);
      return open(file, mode);
    };
    expect(() => asked(indexReach)).toThrow('EIO');
  });
});

it('a chaser is behind the index from the position on that the index has read', () => {
  const reach = asked(indexReach);
  const behind = (chaser: number): boolean => {
    overwrite(fileSystem, 'chaser.chk', int64(chaser));
    return asked(isChaserBehindIndex);
  };
  expect([0, reach, reach + 1, checkpointOf(fileSystem, 'writer')].map(behind)).toEqual([
    true,
    true,
    false,
    false
  ]);
  fileSystem.remove(`${DATABASE}/chaser.chk`);
  expect(asked(isChaserBehindIndex)).toBe(true);
});
