/**
 * Is the source being changed by a scavenge? Looked for in the directories, before and after the copy: the files
 * that a running scavenge keeps open, and chunks that were replaced while they were copied.
 */
import { EngineError } from '../errors.ts';
import type { LockHolder } from '../storage/file-system.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { listIndexNames, type SourceFile, type SourcePlace } from './source-files.ts';

const RUNNING_STATE = /^scavenging\/[^/]+-(wal|shm)$/;
const CHUNK_OUTPUT = /\.scavenge\.tmp$/;

/** What tells of a running scavenge; undefined when nothing does. A run that was killed leaves the same files. */
export function scavengeTrace(place: SourcePlace): string | undefined {
  const { fileSystem, dataDirectory, indexDirectory } = place;
  if (fileSystem.describe(indexDirectory) !== undefined) {
    const state = listIndexNames(place, (name) => RUNNING_STATE.test(name))[0];
    if (state !== undefined) return state;
  }
  const outputs = fileSystem.list(dataDirectory)?.filter(({ name }) => CHUNK_OUTPUT.test(name)) ?? [];
  return outputs[0]?.name;
}

/** Refuses a source that a process has open and that shows traces of a scavenge. */
export function requireNoScavenge(place: SourcePlace, holder: LockHolder | undefined): void {
  const trace = holder ? scavengeTrace(place) : undefined;
  if (!holder || trace === undefined) return;
  const by = holder.pid === null ? holder.by : `${holder.by} (process ${holder.pid})`;
  throw scavengeRuns(place, `a scavenge by ${by}, seen by ${trace}`);
}

/** Refuses a copy during which chunks were replaced: old and new files must not be mixed. */
export function requireSameChunks(place: SourcePlace, copied: readonly SourceFile[]): void {
  const names = new Set((place.fileSystem.list(place.dataDirectory) ?? []).map((entry) => entry.name));
  const gone = copied.find((file) => !names.has(file.name));
  if (gone) throw scavengeRuns(place, `a scavenge or merge that removed ${gone.name} while it was copied`);
  for (const file of copied) {
    const known = decodeChunkFileName(file.name);
    if (!known) continue;
    for (const name of names) {
      const other = decodeChunkFileName(name);
      if (other?.chunkNumber === known.chunkNumber && other.fileVersion > known.fileVersion) {
        throw scavengeRuns(place, `a scavenge or merge that wrote ${name} while ${file.name} was copied`);
      }
    }
  }
}

function scavengeRuns(place: SourcePlace, what: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `${place.dataDirectory} is being changed by ${what}.`,
    remedy:
      'Pause auto-scavenge first, then stop the scavenge, take the backup, and start it again: it resumes where it stopped.',
    details: { file: place.dataDirectory }
  });
}
