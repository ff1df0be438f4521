/**
 * Directories with a document of our own in them, as a cut left them: a backup before it is restored, a restore at each of
 * its steps, what a scavenge set aside, an undo at each of its steps. Made once; a case works on a copy.
 */
import path from 'node:path';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
import { UNDO_MARKER } from '../../../src-core/storage/undo-marker.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { CRASH_TIME, writeCrashDatabase } from '../../support/crash-database.ts';
import { copyOf, type BesideContent } from '../../support/cut-enumeration.ts';
import { filesOf } from '../../support/files-of.ts';
import { seenEvents, type SeenEvents } from '../../support/independent/seen-events.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  restore,
  sourceOf,
  writeBackup,
  writeOldDatabase,
  writeSmallDatabase,
  writeText
} from '../../support/restore-fixture.ts';
import { StateBeside } from '../../support/state-beside.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { scavengeOf, STATE_BELOW, withRealState } from './structured-bases.ts';

export type DocumentKind = 'backup manifest' | 'restore journal' | 'kept manifest' | 'undo journal';

export interface DocumentWorld {
  kind: DocumentKind;
  memory: MemoryFileSystem;
  /** Of the database that is worked on; what is beside it begins with the same name. */
  dataDirectory: string;
  /** The document; undefined for the manifest of a backup, which is given as an object. */
  file: string | undefined;
  manifest: Manifest | undefined;
  /** The state of the scavenge, on a real disk. */
  state: BesideContent | undefined;
  /** What a reader must see of the database when the work is done. */
  seen: SeenEvents | undefined;
}

export const BACKUPS = '/backups';
const SEEN_AT = ticksFromIso(CRASH_TIME)!;
const WEEK_MS = 7 * 86_400_000;

/** Calls back behind every rename to a name. */
class RenameWatch extends PassThroughFileSystem {
  readonly #name: string;
  readonly #onRename: () => void;

  constructor(inner: FileSystem, name: string, onRename: () => void) {
    super(inner);
    this.#name = name;
    this.#onRename = onRename;
  }

  override rename(from: string, to: string): void {
    super.rename(from, to);
    if (path.posix.basename(to) === this.#name) this.#onRename();
  }
}

export function letterBeside(memory: MemoryFileSystem): void {
  writeText(memory, '/outside/letter', 'dear');
}

/** `root`: a real directory for states of scavenges. */
export async function documentWorlds(root: string): Promise<DocumentWorld[]> {
  return [...(await restoreWorlds()), ...(await undoWorlds(path.join(root, 'documents', 'db')))];
}

async function restoreWorlds(): Promise<DocumentWorld[]> {
  const dataDirectory = '/node/db';
  const memory = new MemoryFileSystem();
  await writeSmallDatabase(memory, '/source/db', { sizeBytes: 20_000 });
  const manifest = writeBackup(memory, '/source/db', BACKUPS);
  writeOldDatabase(memory, dataDirectory);
  letterBeside(memory);
  const common = { dataDirectory, state: undefined, seen: undefined };
  const worlds: DocumentWorld[] = [
    { kind: 'backup manifest', memory: copyOf(memory), file: undefined, manifest, ...common },
    { kind: 'backup manifest', memory: copyOf(memory), file: undefined, manifest, ...common }
  ];
  const file = `${dataDirectory}/${RESTORE_MARKER}`;
  const watch = new RenameWatch(memory, RESTORE_MARKER, () =>
    worlds.push({ kind: 'restore journal', memory: copyOf(memory), file, manifest, ...common })
  );
  const source = sourceOf(watch, BACKUPS, manifest);
  await restore({ fileSystem: watch, source, dataDirectory });
  return worlds;
}

async function undoWorlds(dataDirectory: string): Promise<DocumentWorld[]> {
  const memory = await writeCrashDatabase({ dataDirectory, point: { threshold: 0 } });
  letterBeside(memory);
  const beside = new StateBeside([path.join(dataDirectory, STATE_BELOW)]);
  beside.restore({ name: 'nothing', files: new Map() });
  const seen = seenEvents(filesOf(memory, dataDirectory), SEEN_AT);
  for (const name of seen.names) seen.of(name);
  const fileSystem = withRealState(memory, dataDirectory);
  await scavengeOf(fileSystem, dataDirectory, { scavengePoint: 'existing', keepReplacedMs: WEEK_MS });
  const [kept] = (memory.list(`${dataDirectory}/winnow-replaced`) ?? []).filter(
    ({ isDirectory }) => isDirectory
  );
  const common = { dataDirectory, manifest: undefined };
  const state = beside.capture()[0];
  const file = `${dataDirectory}/winnow-replaced/${kept!.name}/manifest.json`;
  const worlds: DocumentWorld[] = [
    { kind: 'kept manifest', memory: copyOf(memory), file, state, seen, ...common }
  ];
  const watch = new RenameWatch(fileSystem, UNDO_MARKER, () =>
    worlds.push({
      kind: 'undo journal',
      memory: copyOf(memory),
      file: `${dataDirectory}/${UNDO_MARKER}`,
      state: beside.capture()[0],
      seen,
      ...common
    })
  );
  const place = { fileSystem: watch, dataDirectory, indexDirectory: `${dataDirectory}/index` };
  await undoScavenge(place, { control: uncontrolled(), assumeStopped: false });
  return worlds;
}
