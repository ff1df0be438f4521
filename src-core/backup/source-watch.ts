/**
 * Is the source being changed by a scavenge? Looked for in the directories, before and after the copy: the files
 * that a running scavenge keeps open, and chunks that were replaced while they were copied.
 */
import { EngineError } from '../errors.ts';
import { namesIn } from '../storage/directory-entries.ts';
import type { LockHolder } from '../storage/file-system.ts';
import { decodeChunkFileName, encodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { highestVersions } from '../log/chunk-versions.ts';
import { listIndexNames, type SourceFile, type SourcePlace } from './source-files.ts';

type Place = Pick<SourcePlace, 'fileSystem' | 'dataDirectory'>;

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
  const names = new Set(namesIn(place.fileSystem, place.dataDirectory));
  const gone = copied.find((file) => !names.has(file.name));
  if (gone) throw scavengeRuns(place, `a scavenge or merge that removed ${gone.name} while it was copied`);
  const highest = highestVersions(names);
  for (const file of copied) {
    const known = decodeChunkFileName(file.name);
    if (!known) continue;
    const { chunkNumber } = known;
    const fileVersion = highest.get(chunkNumber) ?? 0;
    if (fileVersion <= known.fileVersion) continue;
    const name = encodeChunkFileName({ chunkNumber, fileVersion });
    throw scavengeRuns(place, `a scavenge or merge that wrote ${name} while ${file.name} was copied`);
  }
}

/**
 * What a look at the source failed with: where a chunk was there when its directory was listed and is not any more, a
 * scavenge runs. Any other error comes back as it is.
 */
export function asRemovedMeanwhile({ fileSystem, dataDirectory }: Place, error: unknown): unknown {
  if (!(error instanceof EngineError) || error.details.osCode !== 'ENOENT') return error;
  const names = fileSystem.list(dataDirectory)?.map(({ name }) => name) ?? [];
  // Without it the database itself is gone.
  if (!names.includes('writer.chk')) return error;
  const { file = '' } = error.details;
  const name = file.slice(fileSystem.join(dataDirectory, 'x').length - 1);
  if (fileSystem.join(dataDirectory, name) !== file || !decodeChunkFileName(name)) return error;
  if (names.includes(name)) return error;
  return scavengeRuns({ dataDirectory }, `a scavenge or merge that removed ${name} while it was looked at`);
}

function scavengeRuns(place: Pick<Place, 'dataDirectory'>, what: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `${place.dataDirectory} is being changed by ${what}.`,
    remedy:
      'Pause auto-scavenge first, then stop the scavenge, take the backup, and start it again: it resumes where it stopped.',
    details: { file: place.dataDirectory }
  });
}
