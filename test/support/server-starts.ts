/** What the real server did when it was started on the golden databases, in the words of a prediction. */
import type { StartOutcome } from '../../src-core/insight/doctor/prediction.ts';
import {
  damageOf,
  goldenFolders,
  goldenJson,
  goldenNames,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from './golden.ts';

export interface ServerStart {
  /** `damaged-…`, `truncate-…`, or `NAME/FOLDER`. */
  title: string;
  /** Makes the directory that the server was started on. */
  unpack: () => string;
  /** Words of the server's command line. */
  options: readonly string[];
  did: StartOutcome;
  /** Lines of its log, joined; empty where none were kept. */
  log: string;
}

interface Told {
  becameLeader: boolean;
  options?: string[];
  logLines?: string[];
  log?: string[];
  filesRemoved?: string[];
}

/** Every start that is recorded, and every database that a server wrote and could start on again. */
export function serverStarts(): ServerStart[] {
  return goldenNames().flatMap((name) => {
    if (name.startsWith('damaged-')) {
      damageOf(name);
      return [told(name, goldenJson(name, 'expected.json') as Told, () => unpackDamaged(name))];
    }
    if (name.startsWith('truncate-')) {
      return [told(name, goldenJson(name, 'outcome.json') as Told, () => unpackTruncated(name))];
    }
    if (name === 'old-ptables' || name === 'scavdb') return [];
    return goldenFolders(name).map((folder) => ({
      title: `${name}/${folder}`,
      unpack: () => unpackDatabase({ name, folder }),
      options: [],
      // The copy with truncate.chk set was cut at its first start; all others came up as they were.
      did: folder === 'restored-0' ? ('truncatesAndRuns' as const) : ('runs' as const),
      log: ''
    }));
  });
}

function told(title: string, { becameLeader, options, ...rest }: Told, unpack: () => string): ServerStart {
  const log = (rest.logLines ?? rest.log ?? []).join('\n');
  return { title, unpack, options: options ?? [], did: outcome(becameLeader, log, rest.filesRemoved), log };
}

function outcome(becameLeader: boolean, log: string, removed: readonly string[] = []): StartOutcome {
  if (!becameLeader) return log.includes('Verification of chunk') ? 'diesLater' : 'refuses';
  if (log.includes('Truncate checkpoint is present')) return 'truncatesAndRuns';
  const isIndexGone = removed.some((file) => file.startsWith('index/') && file.endsWith('.bloomfilter'));
  return isIndexGone ? 'rebuildsIndex' : 'runs';
}
