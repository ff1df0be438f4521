/** Opens what a user named as the source of an extraction, as a side of a comparison is opened, for a walk over its records. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { databaseSource, sideSource, type RecordSource, namesIn } from '../../../src-core/index.ts';
import { splitBackupName } from '../../backup/open-target.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { openSide, type NamedSide, type OpenSide } from '../difference/open-side.ts';
import type { OperationContext } from '../operation.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

export interface SourceRequest extends NamedSide {
  scratchDirectory?: string | undefined;
}

export interface ExtractionSource {
  open: OpenSide;
  records: RecordSource;
  /** For commits that lie ahead of the walk. */
  ahead: RecordSource;
  close(): Promise<void>;
}

export async function openSource(
  { scratchDirectory, ...named }: SourceRequest,
  context: OperationContext
): Promise<ExtractionSource> {
  const opened: OpenSide[] = [];
  let scratch: string | undefined;
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  };
  const openWith = async (place: string): Promise<OpenSide> => {
    const open = await openSide(named, place, context);
    opened.push(open);
    return open;
  };
  try {
    // What is read in place needs no room of its own, and must not be asked for any.
    const inPlace = mayNeedScratch(named.place, context) ? undefined : await openWith('');
    if (inPlace?.database) {
      const records = databaseSource(inPlace.database);
      return { open: inPlace, records, ahead: records, close };
    }
    scratch = makeScratchDirectory(scratchDirectory, 'extract');
    const places = ['chunk', 'ahead'].map((name) => path.join(scratch!, name)) as [string, string];
    for (const place of places) await mkdir(place);
    const open = await openWith(places[0]);
    if (open.database) {
      const records = databaseSource(open.database);
      return { open, records, ahead: records, close };
    }
    const ahead = await openWith(places[1]);
    const { fileSystem } = context;
    return {
      open,
      records: sideSource(open.side, fileSystem),
      ahead: sideSource(ahead.side, fileSystem),
      close
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A directory with a log is read where it is; only a backup may have to be decoded. */
function mayNeedScratch(place: string, { fileSystem }: OperationContext): boolean {
  if (isRemoteLocation(place)) return true;
  const directory = path.resolve(place);
  const names = namesIn(fileSystem, directory);
  return !names.some((name) => name === 'writer.chk' || /^chunk-\d{6}\.\d{6}$/.test(name));
}

/** Where nothing may be written: the directories that are read, and the whole target of a backup. */
export function sourceDirectories(place: string, { open }: Pick<ExtractionSource, 'open'>): string[] {
  if (open.database) {
    const { dataDirectory, indexDirectory } = open.database;
    return open.manifest ? [path.dirname(path.dirname(dataDirectory))] : [dataDirectory, indexDirectory];
  }
  return isRemoteLocation(place) ? [] : [splitBackupName(place).location];
}
