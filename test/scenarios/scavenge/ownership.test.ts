/**
 * A scavenge often runs as root beside files of the server's user. Whatever it makes must be that user's, or the
 * server cannot go on; where that is impossible, the run is refused before it changes anything.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { FileFacts, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { filesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const SERVER = 1_234;
const US = 4_321;

/** Files that are there belong to the server's user, new ones to us until they are given away. */
class TwoUsers extends NodeFileSystem {
  /** By path; what is not named here was there before. */
  readonly #ours = new Map<string, boolean>();
  readonly #mayGiveAway: boolean;

  constructor({ mayGiveAway }: { mayGiveAway: boolean }) {
    super();
    this.#mayGiveAway = mayGiveAway;
  }

  override describe(path: string): FileFacts | undefined {
    const facts = super.describe(path);
    const owner = this.#ours.get(path) ? US : SERVER;
    return facts && { ...facts, uid: owner, gid: owner };
  }

  override open(path: string, mode: OpenMode): OpenFile {
    if (mode === 'createNew') this.#ours.set(path, true);
    return super.open(path, mode);
  }

  override makeDirectory(path: string): void {
    if (!super.describe(path)) this.#ours.set(path, true);
    super.makeDirectory(path);
  }

  override rename(from: string, to: string): void {
    super.rename(from, to);
    this.#ours.set(to, this.#ours.get(from) ?? false);
  }

  override changeOwner(path: string, uid: number, gid: number): void {
    if (uid === US && gid === US) return;
    if (!this.#mayGiveAway) {
      throw new EngineError({ code: 'StorageFailed', message: 'Not permitted.', remedy: 'Be root.' });
    }
    this.#ours.set(path, uid !== SERVER || gid !== SERVER);
  }

  /** New files that are still ours, of those that a scavenge left. */
  notGivenAway(directory: string): string[] {
    return Object.keys(filesOf(directory))
      .map((name) => join(directory, name))
      .concat(join(directory, 'index'), join(directory, 'index', 'scavenging'))
      .filter((path) => this.#ours.get(path));
  }
}

const samples = new ScavengeSamples();
let original = '';
beforeAll(async () => {
  const size = { sizeBytes: 300_000, chunkSizeBytes: 65536, seed: 4 };
  original = await samples.write(size, { withPoint: false });
});
afterAll(() => samples.removeAll());

const request = { scavengePoint: 'new', now: SAMPLE_TIME, singleNode: true } as const;

describe('files of another user', () => {
  it.each([
    ['with an index', false],
    ['without an index, whose directory is made', true]
  ])(
    'are replaced by files of that user, the new chunk and the state included: %s',
    async (_name, isBare) => {
      const directory = samples.copy(original);
      if (isBare) rmSync(join(directory, 'index'), { recursive: true });
      const fileSystem = new TwoUsers({ mayGiveAway: true });
      const environment = scavengeEnvironment({ fileSystem, hostName: 'here' });
      const report = await runScavenge(scavengeRequest(directory, request), environment);
      expect(report.result).toBe('success');
      expect(fileSystem.notGivenAway(directory)).toEqual([]);
    }
  );

  it('that may not be given away are left as they are: refused by name, before anything is written', async () => {
    const directory = samples.copy(original);
    const before = filesOf(directory);
    const fileSystem = new TwoUsers({ mayGiveAway: false });
    const run = runScavenge(scavengeRequest(directory, request), scavengeEnvironment({ fileSystem }));
    await expect(run).rejects.toMatchObject({
      code: 'StorageFailed',
      message: new RegExp(`belongs to user ${SERVER}, group ${SERVER}`)
    });
    expect(filesOf(directory)).toEqual(before);
  });
});
