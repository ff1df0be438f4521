/**
 * Restores a backup into a scratch directory, cuts it as a start would, opens it, verifies it, reads the last event
 * of each stream through the index, and removes it again. The result is kept beside the manifest.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  openDatabase,
  planRestore,
  readStreamBackward,
  runRestore,
  ticksFromMs,
  ticksToIso,
  verifyDatabase,
  type Database,
  type Finding,
  type RestorePlan,
  type RestoreSource,
  requireFault,
  counted
} from '../../../src-core/index.ts';
import { keepCheckResult } from './keep-check-result.ts';
import { digestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { RehearseReport } from '../../contract/operations/restore-reports.ts';
import { withBackup, type OpenedBackup } from '../restore/restore-source.ts';
import { environmentOf } from '../restore/run-restore.ts';
import { StreamCatalog } from '../streams/stream-catalog.ts';
import { openStreamIndex } from '../streams/stream-index-access.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

/** More than a person reads; the last one has the count. */
const MOST_FINDINGS = 100;

export function rehearseBackup(
  request: CheckedRequestOf<'rehearseBackup'>,
  context: OperationContext
): Promise<RehearseReport> {
  return withBackup(request, context, (opened) => rehearse(opened, request, context));
}

async function rehearse(
  opened: OpenedBackup,
  request: CheckedRequestOf<'rehearseBackup'>,
  context: OperationContext
): Promise<RehearseReport> {
  const { fileSystem } = context;
  const scratch = makeScratchDirectory(request.scratchDirectory, 'rehearse');
  try {
    const dataDirectory = path.join(scratch, 'db');
    const plan = planRestore(fileSystem, {
      source: opened.source,
      dataDirectory,
      indexDirectory: path.join(dataDirectory, 'index'),
      appliesTruncation: true,
      stamp: 'rehearsal'
    });
    const report = await restoreAndExamine(plan, opened.source, context);
    if (opened.backup) {
      const { target, manifest } = opened.backup;
      const result = {
        at: ticksToIso(ticksFromMs(context.clock())),
        ok: report.ok,
        damage: report.findings.filter(({ severity }) => severity === 'damage').length
      };
      await keepCheckResult({ target, id: manifest.id, kind: 'rehearsed' }, result, context);
    }
    return report;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A backup that cannot be restored at all is a result of the rehearsal, not a failure. */
async function restoreAndExamine(
  plan: RestorePlan,
  source: RestoreSource,
  context: OperationContext
): Promise<RehearseReport> {
  const { backup, dataDirectory } = plan;
  try {
    const environment = { ...environmentOf(context, false), verify: undefined };
    const { truncatesTo } = await runRestore(plan, source, environment);
    return await examine({ dataDirectory, backup, truncatesTo }, context);
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    const { message, remedy, details } = error;
    const { file = null, offset = null, position = null } = details;
    return {
      findings: [
        { severity: 'damage', code: 'backupDamaged', file, offset, position, message, remedy, command: null }
      ],
      checked: { files: 0, bytes: 0, records: 0, indexEntries: 0 },
      notChecked: ['everything after this fault'],
      ok: false,
      backup,
      streams: 0,
      truncatesTo: plan.truncatesTo
    };
  }
}

async function examine(
  { dataDirectory, backup, truncatesTo }: { dataDirectory: string; backup: string; truncatesTo: number },
  context: OperationContext
): Promise<RehearseReport> {
  const database = openDatabase({ fileSystem: context.fileSystem, dataDirectory });
  try {
    const { findings, checked, notChecked, ok } = await verifyDatabase({
      database,
      quick: false,
      control: context.control
    });
    const common = { checked, backup, truncatesTo };
    if (!ok && findings.some(({ severity, code }) => severity === 'damage' && !code.startsWith('index'))) {
      const skipped = [...notChecked, 'the last event of each stream: the log is damaged'];
      return { ...common, findings, notChecked: skipped, ok, streams: 0 };
    }
    const read = await readLastEvents(database, context);
    return {
      ...common,
      findings: [...findings, ...read.findings],
      notChecked,
      ok: ok && read.findings.length === 0,
      streams: read.streams
    };
  } finally {
    database.close();
  }
}

async function readLastEvents(
  database: Database,
  context: OperationContext
): Promise<{ streams: number; findings: Finding[] }> {
  const { control, clock } = context;
  const digests = digestsOf(database, context);
  const catalog = await StreamCatalog.read(database, context, digests);
  const index = await openStreamIndex(database, context, { digests });
  const now = ticksFromMs(clock());
  const findings: Finding[] = [];
  let failed = 0;
  try {
    for (let at = 0; at < catalog.count; at++) {
      const stream = catalog.streams.name(at);
      const problem = readLastEvent(database, stream, () =>
        readStreamBackward(index, { stream, from: -1, count: 1, now })
      );
      if (problem && ++failed <= MOST_FINDINGS) findings.push(problem);
      control.report({ phase: 'reading streams', done: at + 1, total: catalog.count, unit: 'streams' });
      if (control.isDue) await control.breathe();
    }
  } finally {
    index.close();
  }
  const last = findings.at(-1);
  if (last && failed > MOST_FINDINGS)
    last.message += ` And ${counted(failed - MOST_FINDINGS, 'more stream')}.`;
  return { streams: catalog.count - failed, findings };
}

/** A stream may have no event that a reader sees; but a last event that cannot be read is damage. */
function readLastEvent(
  database: Database,
  stream: string,
  read: () => ReturnType<typeof readStreamBackward>
): Finding | undefined {
  const page = read();
  const event = page.events[0];
  const record = event === undefined ? undefined : database.log.readAt(event.position);
  const reason =
    page.error?.message ??
    (event !== undefined && record?.stream !== stream
      ? `The index points to position ${event.position}, which has no event of the stream.`
      : undefined);
  if (reason === undefined) return undefined;
  return {
    severity: 'damage',
    code: 'indexEntryWithoutRecord',
    file: null,
    offset: null,
    position: event?.position ?? null,
    message: `The last event of ${stream} cannot be read from the restored backup: ${reason}`,
    remedy: 'Use another backup, or rebuild the index after the restore if only the index is at fault.',
    command: null
  };
}
