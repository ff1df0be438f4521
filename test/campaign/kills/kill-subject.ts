/**
 * What is killed: a command that writes, what it starts from, and what must be true of a directory at any moment and at
 * the end. All names are relative to a directory of its own, so that a copy of it is another start.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { contentOf, withDatabase } from '../../support/database-content.ts';
import { filesIn } from '../../support/independent/read-log.ts';
import { seenEvents, type SeenChange, type SeenEvents } from '../../support/independent/seen-events.ts';
import { scavengeEnvironment } from '../../support/scavenge-environment.ts';
import { requireCommand, type CommandEnd } from './killed-command.ts';

/** Words of a command, for a directory as it was prepared. */
type Words = readonly string[] | ((directory: string) => Promise<readonly string[]>);

export interface KillSubject {
  name: string;
  /** Lays down what the command starts from. */
  prepare: (directory: string) => Promise<void>;
  words: Words;
  /** Instead of the command itself: another door to the same work. */
  run?: (directory: string, killAfterMs?: number) => Promise<CommandEnd>;
  /** Where the same command does not go on by itself: the one that its error names. */
  goesOnWith?: (stderr: string) => readonly string[] | undefined;
  /** It is refused because it has come to its end: it was killed when all was done. */
  isDone?: (stderr: string) => boolean;
  /** Directories with a log of which a reader sees the same before, at any moment and at the end. */
  logs: readonly string[];
  change?: SeenChange;
  /** After a kill: throws where something is lost. */
  atAnyMoment?: (directory: string) => void;
  /** Throws where the end is not what it must be. `uncut`: the end of a run that was left alone. */
  atEnd: (directory: string, uncut: string) => Promise<void>;
}

export const NOW = '2026-01-01T00:00:00Z';
/** A scavenge that writes nothing into the log: its end is the same each time. */
export const POINT = ['--scavenge-point', 'detached', '--now', NOW] as const;

export const writesHistory: SeenChange = { mayGrow: (name) => name.includes('$scavenge') };

/** As of today and not of the sample's time: what a command writes into the log has the time of today. */
const least = 621_355_968_000_000_000n + BigInt(Date.now() + 3_600_000) * 10_000n;
export const seenIn = (...parts: string[]): SeenEvents => seenEvents(filesIn(path.join(...parts)), least);

export async function sample(
  directory: string,
  { name = 'db', size = '1MiB', seed = '3' }: { name?: string; size?: string; seed?: string } = {}
): Promise<void> {
  const shape = ['--size', size, '--chunk-size', '131072', '--seed', seed, '--now', NOW];
  await requireCommand(directory, ['sample', name, ...shape, '--yes', '--quiet']);
}

/** No damage in the log, the index, its filters and the checkpoints. */
export async function requireVerified(directory: string, name = 'db'): Promise<void> {
  await withDatabase(path.join(directory, name), async (database) => {
    const { operation } = scavengeEnvironment();
    const { findings } = await verifyDatabase({ database, quick: false, control: operation });
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'damage'),
      []
    );
  });
}

/** Records, chunks and index entries are those of the run that was left alone; no more temporary files are left. */
export async function requireSameContent(directory: string, uncut: string, name = 'db'): Promise<void> {
  const [is, was] = [await contentOf(path.join(directory, name)), await contentOf(path.join(uncut, name))];
  assert.deepEqual(is, was);
  const left = temporaryFiles(directory, name);
  if (left.length > temporaryFiles(uncut, name).length) throw new Error(`left behind: ${left.join(', ')}`);
}

function temporaryFiles(directory: string, name: string): string[] {
  const names = fs.readdirSync(path.join(directory, name), { recursive: true, encoding: 'utf8' });
  return names.filter((file) => /\.tmp$|-wal$|-journal$/.test(file));
}

/** The same names with the same bytes. */
export function requireSameFiles(directory: string, uncut: string, name: string): void {
  const told = (root: string): string[] =>
    fs
      .readdirSync(path.join(root, name))
      .sort()
      .map((file) => `${file} ${fs.readFileSync(path.join(root, name, file), 'base64')}`);
  assert.deepEqual(told(directory), told(uncut));
}
