/**
 * One case of a changed document of our own, with the hash that fits: the manifest of a backup, the journal of a restore, the
 * manifest of files that were set aside, the journal of an undo. What acts on it is then asked to. Judged: errors are the
 * engine's; nothing outside of the places of the work has changed; what the directory held before is still somewhere in it or
 * beside it where the work has failed; and a reader that shares no line with the engine sees what it saw.
 */
import { decodeManifest } from '../../../src-core/backup/decode-manifest.ts';
import { sealDocument } from '../../../src-core/backup/manifest-seal.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { MANIFEST_FORMAT, MANIFEST_VERSION, type Manifest } from '../../../src-core/backup/manifest.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { expireKept, forgetKept } from '../../../src-core/replaced/forget-kept.ts';
import { decodeChecked, encodeChecked } from '../../../src-core/replaced/kept-manifest.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { CRASH_TIME } from '../../support/crash-database.ts';
import { copyOf } from '../../support/cut-enumeration.ts';
import { filesOf } from '../../support/files-of.ts';
import { requireSeen, seenEvents } from '../../support/independent/seen-events.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { restore, restoreEnvironment, sourceOf, treeOf } from '../../support/restore-fixture.ts';
import { StateBeside } from '../../support/state-beside.ts';
import { wrongWith } from '../examine-database.ts';
import { changeDocument } from './document-mutations.ts';
import { BACKUPS, type DocumentWorld } from './document-worlds.ts';
import { STATE_BELOW, withRealState } from './structured-bases.ts';

export interface DocumentResult {
  structure: DocumentWorld['kind'];
  steps: string[];
  /** What was asked for and how it ended. */
  outcome: string;
  faults: string[];
}

const NOW = ticksFromIso(CRASH_TIME)!;
const AFTER_A_WEEK = ticksFromIso('2026-01-08T00:00:01Z')!;

export async function runDocumentCase(worlds: readonly DocumentWorld[], prng: Prng): Promise<DocumentResult> {
  const world = prng.pick(worlds);
  const memory = copyOf(world.memory);
  const result: DocumentResult = { structure: world.kind, steps: [], outcome: '', faults: [] };
  const before = treeOf(memory, '/');
  const act = world.manifest
    ? restoreWork(world, memory, prng, result)
    : undoWork(world, memory, prng, result);
  try {
    await act();
    result.outcome += ' done';
  } catch (error) {
    result.outcome += ` ${error instanceof EngineError ? error.code : 'foreign'}`;
    const wrong = wrongWith(error);
    if (wrong !== undefined) result.faults.push(wrong);
  }
  result.faults.push(...judge(world, { memory, before, hasFailed: !result.outcome.endsWith(' done') }));
  // In the middle of an undo the log may be neither the one nor the other, and no server starts on it.
  if (world.kind === 'kept manifest' || result.outcome === 'undo done')
    result.faults.push(...seenFaults(world, memory));
  return result;
}

type Work = () => Promise<void>;

function restoreWork(
  world: DocumentWorld,
  memory: MemoryFileSystem,
  prng: Prng,
  result: DocumentResult
): Work {
  const { dataDirectory, manifest, file } = world;
  if (file === undefined) {
    const written = { format: MANIFEST_FORMAT, formatVersion: MANIFEST_VERSION, ...manifest };
    const { document, steps } = changeDocument(written, prng);
    result.steps = steps;
    result.outcome = 'verify and restore';
    return async () => {
      // Sealed again, or the first thing read would be that the seal is broken.
      const bytes = sealDocument({ ...(document as object), sealed: true });
      const decoded: Manifest = decodeManifest(bytes, { target: BACKUPS, object: 'manifest.json' });
      const target = new LocalBackupTarget({ fileSystem: memory, directory: BACKUPS });
      await verifyBackup({ manifest: decoded, target, control: uncontrolled() });
      await restore({ fileSystem: memory, source: sourceOf(memory, BACKUPS, decoded), dataDirectory });
    };
  }
  const { document, steps } = changeDocument(readJson(memory, file), prng);
  writeBytes(memory, file, new TextEncoder().encode(JSON.stringify(document)));
  result.steps = steps;
  result.outcome = prng.chance(0.5) ? 'restore on' : 'restore back';
  const environment = restoreEnvironment(memory);
  if (result.outcome === 'restore back')
    return async () => void (await undoRestore(dataDirectory, environment));
  const source = sourceOf(memory, BACKUPS, manifest!);
  return async () =>
    void (await continueRestore({ dataDirectory, withSource: (_, work) => work(source) }, environment));
}

function undoWork(world: DocumentWorld, memory: MemoryFileSystem, prng: Prng, result: DocumentResult): Work {
  const { dataDirectory, state } = world;
  const file = world.file!;
  new StateBeside([`${dataDirectory}/${STATE_BELOW}`]).restore(state!);
  const content = decodeChecked(readWholeFile(memory, file)!);
  const { document, steps } = changeDocument(content, prng);
  writeBytes(memory, file, encodeChecked(document as object));
  result.steps = steps;
  result.outcome = world.kind === 'undo journal' ? 'undo' : prng.pick(['undo', 'undo', 'forget', 'expire']);
  const fileSystem = withRealState(memory, dataDirectory);
  const place = { fileSystem, dataDirectory, indexDirectory: `${dataDirectory}/index`, assumeStopped: false };
  const { outcome } = result;
  return async () => {
    if (outcome === 'forget') forgetKept(place);
    else if (outcome === 'expire') expireKept({ ...place, now: AFTER_A_WEEK });
    else await undoScavenge(place, { control: uncontrolled(), assumeStopped: false });
  };
}

function readJson(memory: MemoryFileSystem, file: string): unknown {
  return JSON.parse(new TextDecoder().decode(readWholeFile(memory, file)));
}

function writeBytes(fileSystem: FileSystem, file: string, bytes: Uint8Array): void {
  const open = fileSystem.open(file, 'readWrite');
  open.truncate(0);
  open.write(bytes, 0, bytes.length, 0);
  open.close();
}

interface Judged {
  memory: MemoryFileSystem;
  before: Record<string, string>;
  hasFailed: boolean;
}

function judge({ dataDirectory, kind }: DocumentWorld, { memory, before, hasFailed }: Judged): string[] {
  const faults: string[] = [];
  const after = treeOf(memory, '/');
  const own = dataDirectory.slice(1);
  const isOwn = (name: string): boolean =>
    name === own || name.startsWith(`${own}/`) || name.startsWith(`${own}.`);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!isOwn(name) && before[name] !== after[name]) faults.push(`outside of the work: ${name} has changed`);
  // Bytes that were in chunks of the place are in it, or beside it; what a restore brought lies in the backup as well.
  const isPut = kind === 'kept manifest' || !hasFailed;
  const left = new Set(Object.values(after));
  for (const [name, digest] of Object.entries(before))
    if (!isPut && isOwn(name) && /chunk-\d{6}\.\d{6}$/.test(name) && !left.has(digest))
      faults.push(`the bytes of ${name} are gone`);
  return faults;
}

function seenFaults({ dataDirectory, seen }: DocumentWorld, memory: MemoryFileSystem): string[] {
  try {
    const now = seenEvents(filesOf(memory, dataDirectory), NOW);
    if (seen) requireSeen(seen, now);
    else for (const name of now.names) now.of(name);
    return [];
  } catch (error) {
    return [`afterwards: ${String(error)}`];
  }
}
