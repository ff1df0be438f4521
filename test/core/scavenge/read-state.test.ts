/** A scavenge state that is read while something writes to it: again, from a copy, or not at all; its files stay as they are. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  lookAtState,
  openStateToRead,
  type ReadState,
  type StateReading
} from '../../../src-core/scavenge/state/read-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';

const ATTEMPTS = 4;

/** Tells other times of one file as often as it is asked to. */
class Restless extends NodeFileSystem {
  changes = 0;
  restless = '';
  #ms = 0;
  override describe(path: string): FileFacts | undefined {
    const facts = super.describe(path);
    if (!facts || path !== this.restless || this.changes-- <= 0) return facts;
    return { ...facts, modifiedMs: ++this.#ms };
  }
}

let directory: string;
let path: string;
let fileSystem: Restless;
let scratches: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'winnow-read-state-'));
  path = join(directory, 'scavenging.db');
  fileSystem = new Restless();
  scratches = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const reading = (change: Partial<ReadState> = {}): ReadState => ({
  fileSystem,
  path,
  makeScratch: () => {
    const scratch = join(directory, `scratch-${scratches.length}`);
    mkdirSync(scratch);
    scratches.push(scratch);
    return scratch;
  },
  ...change
});
const textOf = ({ database }: StateReading): unknown =>
  database.prepare('SELECT value FROM Checkpoint WHERE key = 0').get()?.['value'];

function write(text: string): StateStore {
  const store = StateStore.open({ path });
  store.begin();
  store.checkpointText = text;
  store.commit();
  return store;
}

/** A state as a run that was killed leaves it: with commits in its log, and the index of the log or not. */
function writeKilled(text: string, companions: readonly string[]): void {
  const store = write(text);
  const kept = join(directory, 'kept');
  mkdirSync(kept);
  for (const suffix of ['', ...companions]) copyFileSync(path + suffix, join(kept, `state${suffix}`));
  store.close();
  for (const suffix of ['', ...companions]) copyFileSync(join(kept, `state${suffix}`), path + suffix);
}

describe('a state that nobody writes to', () => {
  it('is read where it lies', () => {
    expect(lookAtState(reading(), textOf)).toBeUndefined();
    write('one').close();
    expect(lookAtState(reading(), textOf)).toBe('one');
    expect(scratches).toEqual([]);
  });

  it('is none where the file is empty', () => {
    writeFileSync(path, '');
    expect(openStateToRead(reading())).toBeUndefined();
  });
});

describe('a state that changes while it is read', () => {
  beforeEach(() => {
    write('one').close();
    fileSystem.restless = path;
  });

  it('is read again until it rests', () => {
    let looks = 0;
    const seen = lookAtState(reading(), (state) => {
      if (++looks < ATTEMPTS) fileSystem.changes = 1;
      return textOf(state);
    });
    expect([seen, looks]).toEqual(['one', ATTEMPTS]);
  });

  it('and does not rest is in use, after a few looks', () => {
    let looks = 0;
    const look = (): unknown =>
      lookAtState(reading(), () => {
        looks++;
        fileSystem.changes = 1;
      });
    expect(look).toThrow(expect.objectContaining({ code: 'DatabaseInUse', details: { file: path } }));
    expect(looks).toBe(ATTEMPTS);
  });

  it('is in use, and not damaged, where what was read of it makes no sense', () => {
    writeFileSync(path, Buffer.alloc(8192, 1));
    expect(() => openStateToRead(reading())).not.toThrow(expect.objectContaining({ code: 'DatabaseInUse' }));
    fileSystem.changes = Infinity;
    expect(() => lookAtState(reading(), textOf)).toThrow(expect.objectContaining({ code: 'DatabaseInUse' }));
  });

  it('says what a look failed with, unless that came of the change', () => {
    const failing = (isChange: boolean): unknown =>
      lookAtState(reading(), () => {
        if (isChange) fileSystem.changes = 1;
        throw new RangeError('no such row');
      });
    expect(() => failing(false)).toThrow('no such row');
    expect(() => failing(true)).toThrow('no such row');
  });

  it.each([
    [true, 2],
    [false, 1]
  ])('is read again after a look that failed, where that came of the change: %s', (isChange, expected) => {
    let looks = 0;
    const look = (): unknown =>
      lookAtState(reading(), (state) => {
        if (++looks > 1) return textOf(state);
        if (isChange) fileSystem.changes = 1;
        throw new RangeError('no such row');
      });
    if (isChange) expect(look()).toBe('one');
    else expect(look).toThrow('no such row');
    expect(looks).toBe(expected);
  });

  it('is read again where what was read of it at first made no sense', () => {
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.alloc(8192, 1));
    const describe = fileSystem.describe.bind(fileSystem);
    let asked = 0;
    fileSystem.describe = (file) => {
      // It is asked for twice before it is opened, and once after it made no sense.
      if (file === path && ++asked === 3) {
        writeFileSync(path, whole);
        fileSystem.changes = 1;
      }
      return describe(file);
    };
    expect(lookAtState(reading(), textOf)).toBe('one');
  });
});

describe('a state of a run that was killed', () => {
  it('is read from a copy of file and log, and its own files stay', () => {
    writeKilled('one', ['-wal']);
    const before = readdirSync(directory).sort();
    expect(lookAtState(reading(), textOf)).toBe('one');
    expect(scratches).toHaveLength(1);
    expect(existsSync(scratches[0]!)).toBe(false);
    expect(readdirSync(directory).sort()).toEqual(before);
  });

  it('and is large is read with the index of its log', () => {
    writeKilled('one', ['-wal', '-shm']);
    expect(lookAtState(reading({ mostCopiedBytes: 0 }), textOf)).toBe('one');
    expect(scratches).toEqual([]);
  });

  it('and is large is copied where its log has no index', () => {
    writeKilled('one', ['-wal']);
    expect(lookAtState(reading({ mostCopiedBytes: 0 }), textOf)).toBe('one');
    expect(scratches).toHaveLength(1);
  });

  it('whose log begins again at each copy is in use, and leaves no copy', () => {
    writeKilled('one', ['-wal']);
    const open = fileSystem.open.bind(fileSystem);
    let headers = 0;
    fileSystem.open = (file, mode) => {
      const opened = open(file, mode);
      if (file !== `${path}-wal`) return opened;
      const read = opened.read.bind(opened);
      opened.read = (target, offset, length, position) => {
        const count = read(target, offset, length, position);
        if (length === 32) target[offset] = ++headers;
        return count;
      };
      return opened;
    };
    expect(() => openStateToRead(reading())).toThrow(expect.objectContaining({ code: 'DatabaseInUse' }));
    expect(headers).toBe(2 * ATTEMPTS);
    expect(existsSync(scratches[0]!)).toBe(false);
  });

  it('whose log goes before it is copied has only what is in its file: no tables here', () => {
    writeKilled('one', ['-wal']);
    let isGone = false;
    const describe = fileSystem.describe.bind(fileSystem);
    fileSystem.describe = (file) => {
      if (file === `${path}-wal` && isGone) return undefined;
      return describe(file);
    };
    const options = reading();
    const seen = lookAtState(
      {
        ...options,
        makeScratch: () => {
          isGone = true;
          rmSync(`${path}-wal`);
          return options.makeScratch();
        }
      },
      ({ isComplete }) => isComplete
    );
    expect(seen).toBe(false);
    expect(scratches).toHaveLength(1);
  });
});
