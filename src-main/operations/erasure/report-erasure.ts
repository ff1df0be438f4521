/** Where events of the named streams still exist: in the database, beside it and in its backups. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import packageFacts from '../../../package.json' with { type: 'json' };
import {
  listDatabaseFiles,
  runErasure,
  ticksFromMs,
  ticksToIso,
  type Database,
  type ErasureFile,
  type ErasureOutcome
} from '../../../src-core/index.ts';
import { openTarget, type OpenTarget } from '../../backup/open-target.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import { listBackupFiles, unreachableTarget } from './erasure-backups.ts';
import type { ErasureReport } from '../../contract/operations/erasure-reports.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

type Request = CheckedRequestOf<'reportErasure'>;

export async function reportErasure(request: Request, context: OperationContext): Promise<ErasureReport> {
  const takenAt = ticksToIso(ticksFromMs(context.clock()));
  const targets: OpenTarget[] = [];
  const files: ErasureFile[] = [];
  const notExamined: ErasureOutcome['notExamined'] = [];
  try {
    const locations = new Map(request.backupTargets.map(({ target, s3Endpoint }) => [target, s3Endpoint]));
    for (const [location, s3Endpoint] of locations) {
      try {
        const open = await openTarget({
          location,
          fileSystem: context.fileSystem,
          threads: 1,
          mustExist: true,
          keyFile: request.keyFile,
          s3Endpoint
        });
        targets.push(open);
        const found = await listBackupFiles(open);
        files.push(...found.files);
        notExamined.push(...found.notExamined);
      } catch (error) {
        notExamined.push(unreachableTarget(location, error));
      }
    }
    const { outcome, directories } = await withDatabase(request, context, async (database) => ({
      outcome: await examine(database, request, context, { files, notExamined }),
      directories: { dataDirectory: database.dataDirectory, indexDirectory: database.indexDirectory }
    }));
    return {
      ...directories,
      backupTargets: targets.map(({ target }) => target.description),
      takenAt,
      endedAt: ticksToIso(ticksFromMs(context.clock())),
      toolVersion: packageFacts.version,
      ...outcome,
      recheck: request.recheck ? compareFiles(request.recheck, outcome) : null
    };
  } finally {
    for (const open of targets) await open.close();
  }
}

async function examine(
  database: Database,
  request: Request,
  { control, fileSystem }: OperationContext,
  backups: { files: ErasureFile[]; notExamined: ErasureOutcome['notExamined'] }
): Promise<ErasureOutcome> {
  const { streams, categories, eventIds } = request;
  // What is left of them in our own data belongs to chunks that are examined here.
  digestsOf({ ...request, dataDirectory: database.dataDirectory }, { fileSystem }).removeStale(
    database.log.chunks
  );
  const found = listDatabaseFiles({ database, stateDirectories: detachedStates(database, request) });
  const { inUse } = database;
  const running = inUse
    ? [
        {
          place: database.dataDirectory,
          why: `${inUse.by} has it open: its files change while they are read, and it has more data in memory.`
        }
      ]
    : [];
  return runErasure({
    database,
    question: { streams, categories, eventIds },
    files: [...found.files, ...backups.files],
    notExamined: [...running, ...found.notExamined, ...backups.notExamined],
    control
  });
}

/** Where an unfinished detached scavenge of this directory keeps its state. */
function detachedStates({ dataDirectory }: Database, { winnowHome }: Request): string[] {
  if (winnowHome === undefined) return [];
  const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
  return [path.join(winnowHome, 'detached-scavenges', name)];
}

function compareFiles(
  earlier: NonNullable<Request['recheck']>,
  { files }: ErasureOutcome
): NonNullable<ErasureReport['recheck']> {
  const before = new Map(earlier.files.map(({ file, sha256 }) => [file, sha256]));
  const now = new Map(files.map(({ file, sha256 }) => [file, sha256]));
  const changes: NonNullable<ErasureReport['recheck']>['changes'] = [];
  let unchanged = 0;
  for (const [file, sha256] of before) {
    const found = now.get(file);
    if (found === sha256) unchanged++;
    else changes.push({ file, state: found === undefined ? 'gone' : 'changed' });
  }
  for (const file of now.keys()) if (!before.has(file)) changes.push({ file, state: 'new' });
  return { takenAt: earlier.takenAt, unchanged, changes };
}
