/**
 * Every power cut of an operation in one call. The operation runs on a file system that counts the calls that change
 * or flush something (write, truncate, flush, create, rename, remove, mkdir, chmod, chown; W of them). For each call
 * k it runs again and is cut there, in several ways; each disk that can be left is opened, looked at, the operation
 * runs again on it, and the end must be that of the uncut run.
 *
 *   const report = await enumerateCuts({
 *     prepare: () => databaseInMemory(),                        // a MemoryFileSystem; copied for each cut
 *     act: (fileSystem) => runPrune({ fileSystem, … }),
 *     resume: (fileSystem) => runPrune({ fileSystem, … }),      // default: `act` once more
 *     contentOf: (fileSystem) => chunksAndEntries(fileSystem),  // plain values that must end as in the uncut run
 *     look: (fileSystem) => expectEverythingReadable(fileSystem) // before it goes on: never less than promised
 *   });
 *   console.log(cutReportText('prune', report));
 *   expect(report.calls).toBeGreaterThanOrEqual(57);            // W: fails if somebody drops a durability call
 *
 * The ways of a cut at call k:
 *   before   the process dies before the call; whatever earlier calls did is there
 *   half     it dies within: half the bytes of a write; of a flush the older half got through and nothing else did;
 *            a change of names is there although whatever came before it unflushed is not
 *   lost     the power goes: nothing is left but what was flushed
 *   mixed    the power goes: of what was not flushed a seeded choice is left, in any order, torn, or as zeros
 * `act` may call `mark(what)` at moments that are no calls of the file system; they are cut as well.
 *
 * Directories of real files `beside` the memory (SQLite's) are put back for every cut by the caller; where
 * they can be left in several states (its last commits lost) the ways `lost` and `mixed` are tried with each.
 * Disks that are the same byte by byte are tried once. A fault is thrown as an error that names the cut.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { createHash, type Hash } from 'node:crypto';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { chosenCalls, type CallChoice } from './chosen-calls.ts';
import {
  DurableState,
  EVERYTHING,
  NOTHING_UNFLUSHED,
  seededSurvival,
  type Survival,
  type Uncertain
} from './durable-state.ts';
import { FaultyFileSystem, PowerCut, type Beside, type CountedCall } from './faulty-file-system.ts';
import type { MemoryFileSystem, TreeNode } from './memory-file-system.ts';

export type CutWay = 'before' | 'half' | 'lost' | 'mixed';
export const CUT_WAYS: readonly CutWay[] = ['before', 'half', 'lost', 'mixed'];

/** The bytes of real files by path, with the name of the moment they are from. */
export interface BesideContent {
  name: string;
  files: ReadonlyMap<string, Uint8Array>;
}

/** Real directories beside the memory, and what can be left of them. */
export interface BesideDisk extends Beside {
  /** What is there now: first as it stands (the process alone died), then what a power cut may leave of it. */
  capture(): [BesideContent, ...BesideContent[]];
  /** Makes the directories hold these files and nothing else. */
  restore(content: BesideContent): void;
}

export interface CutSubject<Content> {
  /** The disk before the operation; everything on it counts as flushed. Called once. */
  prepare(): MemoryFileSystem | Promise<MemoryFileSystem>;
  act(fileSystem: FileSystem, mark: (what: string) => void): Promise<unknown>;
  /** What is done after the restart. Default: `act`. */
  resume?: (fileSystem: FileSystem) => Promise<unknown>;
  /** Plain values of which the end must have the same as the uncut run. */
  contentOf(fileSystem: FileSystem): Content | Promise<Content>;
  /** After the restart, before the operation goes on. Throws when less is there than must be at every moment. */
  look?: (fileSystem: FileSystem, ends: { before: Content; after: Content }) => void | Promise<void>;
  beside?: BesideDisk;
}

export interface CutChoice extends CallChoice {
  /** Default: all. */
  ways?: readonly CutWay[];
}

export interface CutReport {
  /** W: calls that change or flush something, in the uncut run. */
  calls: number;
  /** Those that flush. */
  flushes: number;
  /** Calls that were cut. */
  cutCalls: number;
  /** Disks that were left, by way. */
  disks: Record<CutWay, number>;
  /** Disks that differ, each of which was checked and continued from. */
  resumed: number;
  /** What the calls were. */
  trail: readonly string[];
}

/** One disk that a cut leaves. */
export interface Disk {
  way: CutWay;
  memory: MemoryFileSystem;
  beside: BesideContent | undefined;
}

/** The ends of the uncut run, and the disks of before it. */
export interface UncutRun<Content> {
  start: MemoryFileSystem;
  startBeside: BesideContent | undefined;
  before: Content;
  after: Content;
  /** Calls of the operation that change or flush something, those that read, and what the first were. */
  calls: number;
  readCalls: number;
  trail: readonly string[];
}

export async function enumerateCuts<Content>(
  subject: CutSubject<Content>,
  { ways = CUT_WAYS, seed = 1, ...choice }: CutChoice = {}
): Promise<CutReport> {
  const uncut = await runUncut(subject);
  const { calls, trail } = uncut;
  const report: CutReport = {
    calls,
    flushes: trail.filter((text) => text.startsWith('flush ')).length,
    cutCalls: 0,
    disks: { before: 0, half: 0, lost: 0, mixed: 0 },
    resumed: 0,
    trail
  };
  const seen = new Set<string>();
  for (const cutAt of chosenCalls(calls, { ...choice, seed })) {
    report.cutCalls++;
    for (const disk of await cutOnce(subject, uncut, { cutAt, ways, seed: seed * 100_003 + cutAt })) {
      report.disks[disk.way]++;
      const digest = digestOf(disk);
      if (seen.has(digest.all)) continue;
      seen.add(digest.all);
      report.resumed++;
      // A reader does not look at what lies beside.
      const isSeen = seen.has(digest.memory);
      seen.add(digest.memory);
      const state = disk.beside ? `, ${disk.beside.name}` : '';
      const what = `cut at call ${cutAt} of ${calls} (${trail[cutAt - 1]}), ${disk.way}${state}, seed ${seed}`;
      await named(what, () => goOn(subject, uncut, { ...disk, isSeen }));
    }
  }
  return report;
}

/** One line for people. */
export function cutReportText(name: string, report: CutReport): string {
  const { calls, flushes, cutCalls, disks, resumed } = report;
  const byWay = CUT_WAYS.map((way) => `${disks[way]} ${way}`).join(', ');
  return (
    `${name}: W ${calls} calls (${flushes} flushes), ${cutCalls} cut; disks left: ${byWay}; ` +
    `${resumed} of them differ, all whole when opened and all ended as the uncut run`
  );
}

/** The operation without a fault, from a copy of the disk that `prepare` gives. */
export async function runUncut<Content>(subject: CutSubject<Content>): Promise<UncutRun<Content>> {
  const { beside } = subject;
  const start = await subject.prepare();
  const startBeside = beside?.capture()[0];
  const before = await subject.contentOf(runningOn(subject, copyOf(start)));
  const fileSystem = new FaultyFileSystem(copyOf(start), beside ? { beside } : {});
  await subject.act(fileSystem, (what) => fileSystem.mark(what));
  const { calls, readCalls, trail } = fileSystem;
  const made = { calls, readCalls, trail: [...trail] };
  return { start, startBeside, before, after: await subject.contentOf(fileSystem), ...made };
}

/** The machine after a restart: no fault any more. */
export function runningOn<Content>(
  { beside }: CutSubject<Content>,
  memory: MemoryFileSystem
): FaultyFileSystem {
  return new FaultyFileSystem(memory, beside ? { beside } : {});
}

export function copyOf(fileSystem: MemoryFileSystem): MemoryFileSystem {
  return new DurableState(fileSystem.root).survivors(NOTHING_UNFLUSHED);
}

/** Runs `action`; its error names the circumstances first. */
export async function named(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Opens the disk, looks, lets the operation go on, and compares the end. */
export async function goOn<Content>(
  subject: CutSubject<Content>,
  { before, after }: UncutRun<Content>,
  { memory, beside, isSeen }: Disk & { isSeen: boolean }
): Promise<void> {
  if (beside) subject.beside?.restore(beside);
  const fileSystem = runningOn(subject, memory);
  if (!isSeen) await subject.look?.(fileSystem, { before, after });
  await (subject.resume ?? subject.act)(fileSystem, () => undefined);
  deepStrictEqual(await subject.contentOf(fileSystem), after);
}

/** The disks that a cut at one call can leave. */
export async function cutOnce<Content>(
  subject: CutSubject<Content>,
  { start, startBeside }: Pick<UncutRun<Content>, 'start' | 'startBeside'>,
  { cutAt, ways, seed }: { cutAt: number; ways: readonly CutWay[]; seed: number }
): Promise<Disk[]> {
  const { beside } = subject;
  if (startBeside) beside?.restore(startBeside);
  const disks: Disk[] = [];
  const onCut = (moment: 'before' | 'after', call: CountedCall) => {
    const [latest, ...older] = beside?.capture() ?? [];
    const leave = (way: CutWay, survival: Survival, ...states: (BesideContent | undefined)[]) => {
      if (!ways.includes(way)) return;
      for (const state of states) {
        const memory = faulty.survivors(survival);
        disks.push({ way, memory, beside: beside && state && withNamedOnly(state, beside, memory) });
      }
    };
    if (moment === 'before') {
      leave('before', EVERYTHING, latest);
      return;
    }
    const states = [latest, ...older];
    leave('half', halfDone(cutAt, call), latest);
    leave('lost', NOTHING_UNFLUSHED, ...states);
    leave('mixed', seededSurvival(seed), states[seed % states.length]);
  };
  const faulty = new FaultyFileSystem(copyOf(start), { cutAt, onCut, ...(beside ? { beside } : {}) });
  try {
    await subject.act(faulty, (what) => faulty.mark(what));
  } catch (error) {
    if (error instanceof PowerCut) return disks;
    throw new Error(`The cut at call ${cutAt} came out as another error.`, { cause: error });
  }
  throw new Error(`The operation ended well although the power was cut at call ${cutAt}.`);
}

/** Without the directories whose own names did not survive. */
function withNamedOnly(
  { name, files }: BesideContent,
  { directories }: BesideDisk,
  memory: MemoryFileSystem
): BesideContent {
  const lost = directories.filter((directory) => memory.find(directory) === undefined);
  const isLost = (path: string) => lost.some((directory) => path.startsWith(`${directory}/`));
  return { name, files: new Map([...files].filter(([path]) => !isLost(path))) };
}

/** See the ways at the head of this file. */
function halfDone(cutAt: number, { kind, inode }: CountedCall): Survival {
  const isOlderHalf = ({ index, count }: Uncertain) => index < count / 2;
  const isFlushed = ({ inodes }: Uncertain) => inode !== undefined && inodes.includes(inode);
  switch (kind) {
    case 'write':
      return { names: () => true, file: ({ call }) => (call === cutAt ? 'half' : 'whole') };
    case 'flush':
      return {
        names: (change) => isFlushed(change) && isOlderHalf(change),
        file: (change) => (isFlushed(change) && isOlderHalf(change) ? 'whole' : 'none')
      };
    case 'change':
      return {
        names: ({ call }) => call === cutAt,
        file: ({ call }) => (call === cutAt ? 'whole' : 'none')
      };
  }
}

function digestOf({ memory, beside }: Disk): { memory: string; all: string } {
  const hash = createHash('sha1');
  addTree(hash, memory.root);
  const ofMemory = hash.copy().digest('hex');
  if (!beside) return { memory: `memory ${ofMemory}`, all: ofMemory };
  for (const [path, bytes] of beside.files) hash.update(`beside ${path} ${bytes.length}`).update(bytes);
  return { memory: `memory ${ofMemory}`, all: hash.digest('hex') };
}

function addTree(hash: Hash, node: TreeNode): void {
  hash.update(` ${node.mode} ${node.uid} ${node.gid} `);
  if (node.kind === 'file') {
    const bytes = new Uint8Array(node.bytes.size);
    node.bytes.read(bytes, 0, bytes.length, 0);
    hash.update(`${bytes.length} `).update(bytes);
    return;
  }
  for (const name of [...node.entries.keys()].sort()) {
    hash.update(name);
    addTree(hash, node.entries.get(name)!);
  }
  hash.update('end');
}
