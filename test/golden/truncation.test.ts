/**
 * Truncation held against what the server's first start did with the same truncate.chk: which files it removed, what
 * it left of the others, what it refused.
 */
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { EngineError } from '../../src-core/errors.ts';
import { readCheckpoints, writeCheckpointFile } from '../../src-core/log/checkpoint-file.ts';
import { applyTruncation } from '../../src-core/log/apply-truncation.ts';
import { planTruncation, type TruncationPlan } from '../../src-core/log/truncation.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { filesOf } from '../support/database-content.ts';
import { goldenFile, goldenFolders, goldenJson, removeUnpacked, unpackTruncated } from '../support/golden.ts';

const fileSystem = new NodeFileSystem();
const control = uncontrolled();
afterEach(removeUnpacked);

interface Outcome {
  truncatePosition: number;
  options: string[];
  exitCode: number;
  log: string[];
  filesRemoved: string[];
  filesChanged: string[];
}

const outcomeOf = (name: string): Outcome => goldenJson(name, 'outcome.json') as Outcome;
const isChunk = (name: string): boolean => /^chunk-\d{6}\.\d{6}$/.test(name);

/** `Truncating writer from 1042089 (0xFE6A9) to 505586 (0x7B6F2).` */
function loggedEnd(name: string, checkpoint: string): number | undefined {
  const pattern = new RegExp(`Truncating ${checkpoint} from \\d+ \\S+ to (\\d+)`);
  const found = outcomeOf(name)
    .log.map((line) => pattern.exec(line)?.[1])
    .find((position) => position !== undefined);
  return found === undefined ? undefined : Number(found);
}

async function truncated(name: string): Promise<{ dataDirectory: string; plan: TruncationPlan }> {
  const dataDirectory = unpackTruncated(name);
  const plan = await applyTruncation({ fileSystem, dataDirectory, control });
  if (!plan) throw new Error(`Nothing to cut in ${name}.`);
  return { dataDirectory, plan };
}

const cutting = [
  'truncate-middle-of-log',
  'truncate-chunk-boundary',
  'truncate-inside-scavenged-merged-chunk'
];

describe('truncation as the server does it', () => {
  it.each([...cutting, 'truncate-beyond-writer', 'truncate-equals-writer', 'truncate-zero'])(
    'removes the same files in the same order: %s',
    async (name) => {
      const { log, filesRemoved, filesChanged } = outcomeOf(name);
      const { dataDirectory, plan } = await truncated(name);
      const logged = log
        .map((line) => /File "DB\/(chunk-[\d.]+)" will be deleted/.exec(line)?.[1])
        .filter((file) => file !== undefined);
      // The log of one story is kept in part only.
      expect(plan.removed.slice(0, logged.length).map(({ file }) => file)).toEqual(logged);
      // The first chunk comes back at once under its old name, so the story has it among the changed.
      const comeBack = filesChanged.filter((file) => plan.removed.some((gone) => gone.file === file));
      expect(plan.removed.map(({ file }) => file).sort()).toEqual(
        [...filesRemoved.filter(isChunk), ...comeBack].sort()
      );
      expect(plan.removed.filter(({ file }) => readdirSync(dataDirectory).includes(file))).toEqual([]);
    }
  );

  it.each(cutting)('leaves chunk files byte for byte as the server left them: %s', async (name) => {
    const { dataDirectory, plan } = await truncated(name);
    expect(goldenFolders(name)).toContain('after');
    for (const file of readdirSync(dataDirectory).filter(isChunk)) {
      const ours = readFileSync(path.join(dataDirectory, file));
      const servers = Buffer.from(goldenFile(name, `after/${file}`));
      expect(ours.length, file).toBe(servers.length);
      // The server went on and appended at the cut; before it both must be equal.
      const end = file === plan.reopened?.file ? plan.reopened.zeroFrom : ours.length;
      // A chunk that ended on the cut was the active one for a moment, and is completed again or still open.
      expect(ours.subarray(0, end).equals(servers.subarray(0, end)), file).toBe(true);
      expect(ours.subarray(end).every((byte) => byte === 0)).toBe(true);
    }
  });

  it.each(cutting)('sets the checkpoints as the server logged it: %s', async (name) => {
    const { dataDirectory, plan } = await truncated(name);
    const { writer, chaser, epoch, truncate } = readCheckpoints(fileSystem, dataDirectory);
    expect({ writer, chaser, epoch }).toEqual(plan.checkpoints);
    expect(truncate).toBe(-1);
    const end = loggedEnd(name, 'writer');
    if (end !== undefined)
      expect({ writer, chaser }).toEqual({ writer: end, chaser: loggedEnd(name, 'chaser') });
    expect(plan.end).toBe(writer);
  });

  it('ends at the start of a scavenged chunk that holds the position', async () => {
    const { plan } = await truncated('truncate-inside-scavenged-merged-chunk');
    expect(plan).toMatchObject({ requested: 394216, end: 4 * 65536, reopened: null });
  });

  it.each(['truncate-beyond-writer', 'truncate-equals-writer'])('cuts nothing: %s', async (name) => {
    const dataDirectory = unpackTruncated(name);
    const before = readCheckpoints(fileSystem, dataDirectory);
    const plan = await applyTruncation({ fileSystem, dataDirectory, control });
    expect(plan).toMatchObject({ cutBytes: 0, removed: [], end: before.writer });
    expect(readCheckpoints(fileSystem, dataDirectory)).toEqual({ ...before, truncate: -1 });
  });

  it('empties the log at position 0', async () => {
    const { dataDirectory } = await truncated('truncate-zero');
    expect(readCheckpoints(fileSystem, dataDirectory)).toMatchObject({ writer: 0, chaser: 0, epoch: -1 });
    expect(readdirSync(dataDirectory).filter(isChunk)).toEqual([]);
  });

  it('removes and zeroes files that are read-only', async () => {
    const dataDirectory = unpackTruncated('truncate-middle-of-log');
    for (const file of readdirSync(dataDirectory).filter(isChunk))
      chmodSync(path.join(dataDirectory, file), 0o444);
    const plan = await applyTruncation({ fileSystem, dataDirectory, control });
    expect(plan?.reopened?.file).toBe('chunk-000007.000000');
    expect(statSync(path.join(dataDirectory, 'chunk-000007.000000')).mode & 0o200).toBe(0o200);
  });

  it('has nothing to do when truncate.chk says -1', async () => {
    const dataDirectory = unpackTruncated('truncate-zero');
    writeCheckpointFile(fileSystem, path.join(dataDirectory, 'truncate.chk'), -1);
    expect(await planTruncation({ fileSystem, dataDirectory, control })).toBeUndefined();
  });
});

describe('what the server refuses', () => {
  async function refusal(dataDirectory: string, maxTruncationBytes?: number): Promise<EngineError> {
    const before = filesOf(dataDirectory);
    const error: unknown = await applyTruncation({
      fileSystem,
      dataDirectory,
      maxTruncationBytes,
      control
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EngineError);
    expect(filesOf(dataDirectory)).toEqual(before);
    return error as EngineError;
  }

  it('is refused: more than MaxTruncation', async () => {
    const name = 'truncate-exceeds-max-truncation';
    const { options, exitCode } = outcomeOf(name);
    expect(exitCode).toBe(1);
    const error = await refusal(unpackTruncated(name), Number(options[1]));
    expect(error.details).toMatchObject({ reason: 'exceedsMaxTruncation', neededBytes: 536503 });
    expect(error.remedy).toContain('--max-truncation -1');
  });

  it('is cut when any amount is allowed', async () => {
    const dataDirectory = unpackTruncated('truncate-exceeds-max-truncation');
    const plan = await applyTruncation({ fileSystem, dataDirectory, maxTruncationBytes: -1, control });
    expect(plan).toMatchObject({ cutBytes: 536503, end: 505586 });
  });

  it('is refused: a chunk behind that of the writer', async () => {
    const dataDirectory = unpackTruncated('truncate-middle-of-log');
    copyFileSync(
      path.join(dataDirectory, 'chunk-000015.000000'),
      path.join(dataDirectory, 'chunk-000016.000000')
    );
    const error = await refusal(dataDirectory);
    expect(error).toMatchObject({ code: 'LogCorrupt', details: { reason: 'excessiveChunks' } });
    expect(error.message).toContain('chunk-000016.000000');
  });

  it.each([505585, 505587, 505600])('is refused: position %i, within a record', async (position) => {
    const dataDirectory = unpackTruncated('truncate-middle-of-log');
    writeCheckpointFile(fileSystem, path.join(dataDirectory, 'truncate.chk'), position);
    const error = await refusal(dataDirectory);
    expect(error).toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'truncateInsideRecord', position }
    });
  });
});
