/**
 * Takes a backup, or plans one. A Winnow scavenge that works on the database is asked to pause and
 * resumes afterwards; a server's scavenge is stopped only on request.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import packageFacts from '../../../package.json' with { type: 'json' };
import {
  invalidRequest,
  planBackup as planCoreBackup,
  runBackup,
  ticksFromMs,
  type BackupEnvironment,
  type BackupRequest
} from '../../../src-core/index.ts';
import { NodeClient } from '../../backup/node-client.ts';
import { findOwnScavenge, holdOwnScavenge, type HeldScavenge } from '../../backup/own-scavenge.ts';
import type { OpenTarget } from '../../backup/open-target.ts';
import { SourceNode } from '../../backup/source-node.ts';
import type { BackupPlanReport, BackupsReport } from '../../contract/operations/backup-reports.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { ExchangeWatch } from '../database/exchanged-directory.ts';
import { backupRowOf, withTarget } from './backup-target-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

type Request = CheckedRequestOf<'createBackup'>;

export async function createBackup(request: Request, context: OperationContext): Promise<BackupsReport> {
  return withTarget({ ...request, mustExist: false }, context, async (open, threads) => {
    requireOutside(request);
    const watch = new ExchangeWatch(context.fileSystem, request);
    const rest = await restScavenges(request, context);
    let manifest;
    try {
      manifest = await runBackup(coreRequest(request, threads), environmentOf(request, context, open, rest));
    } catch (error) {
      await rest.end().catch((failure: unknown) => {
        const reason = failure instanceof Error ? failure.message : String(failure);
        context.log({ level: 'warning', message: `The scavenge was not started again: ${reason}` });
      });
      throw watch.faultOf(error);
    }
    await rest.end();
    const backups = [await backupRowOf(open.target, manifest)];
    return { target: open.target.description, backups, unfinished: [], damaged: [], warnings: [] };
  });
}

export async function planBackup(request: Request, context: OperationContext): Promise<BackupPlanReport> {
  return withTarget({ ...request, threads: 1, mustExist: false }, context, async (open, threads) => {
    requireOutside(request);
    const own = await findOwnScavenge(scavengePlace(request));
    const node = request.node && new SourceNode(new NodeClient(request.node));
    const plan = await planCoreBackup(coreRequest(request, threads), {
      ...backupEnvironment(context, open),
      askNode: node && (() => node.facts({ mayScavenge: request.stopScavenge || own !== undefined })),
      willStopScavenge: own !== undefined
    });
    const willStop = own && {
      code: 'scavengePauses',
      message: `The scavenge ${own.scavengeId} (process ${own.pid}) will be asked to pause, and resumes afterwards.`,
      remedy: 'Nothing to do.'
    };
    return {
      target: open.target.description,
      mode: plan.mode,
      basedOn: plan.base?.id ?? null,
      resumes: plan.unfinished?.id ?? null,
      files: plan.files,
      fileCount: plan.fileCount,
      bytes: plan.bytes,
      bytesToCopy: plan.bytesToCopy,
      freeBytes: plan.freeBytes ?? null,
      notes: willStop ? [...plan.notes, willStop] : plan.notes
    };
  });
}

/** The server removes unknown files from its directories, and a backup must not contain itself. */
function requireOutside(request: Request): void {
  if (isRemoteLocation(request.target)) return;
  const target = path.resolve(request.target);
  const { dataDirectory, indexDirectory } = coreRequest(request, 1);
  for (const directory of [dataDirectory, indexDirectory]) {
    const relative = path.relative(directory, target);
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue;
    throw invalidRequest(
      `The target ${target} is inside ${directory}, which is being backed up.`,
      '--to',
      'Name a directory outside the database, preferably on another disk.'
    );
  }
}

function coreRequest(request: Request, threads: number): BackupRequest {
  const dataDirectory = path.resolve(request.dataDirectory);
  return {
    dataDirectory,
    indexDirectory:
      request.indexDirectory === undefined
        ? path.join(dataDirectory, 'index')
        : path.resolve(request.indexDirectory),
    mode: request.mode,
    threads,
    bytesPerSecond: request.bytesPerSecond,
    isMoved: request.moved
  };
}

function environmentOf(
  request: Request,
  context: OperationContext,
  open: OpenTarget,
  { mayScavenge, requireRest }: ScavengeRest
): BackupEnvironment {
  const node = request.node && new SourceNode(new NodeClient(request.node));
  return {
    ...backupEnvironment(context, open),
    askNode: node && (() => node.facts({ mayScavenge })),
    requireRest
  };
}

export function backupEnvironment(context: OperationContext, open: OpenTarget): BackupEnvironment {
  return {
    fileSystem: context.fileSystem,
    target: open.target,
    operation: context.control,
    now: () => ticksFromMs(context.clock()),
    newGuid: () => randomUUID(),
    toolVersion: packageFacts.version,
    encodings: open.encodings,
    wait: (ms) => waitFor(ms, context)
  };
}

async function waitFor(ms: number, context: OperationContext): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  context.control.throwIfStopped();
}

/** While the files are copied. */
interface ScavengeRest {
  /** The node reports a running scavenge, which is the paused one. */
  mayScavenge: boolean;
  requireRest: () => void;
  /** Resumes what was paused. */
  end: () => Promise<void>;
}

function scavengePlace({ dataDirectory, winnowHome }: Request): Parameters<typeof findOwnScavenge>[0] {
  return {
    dataDirectory: path.resolve(dataDirectory),
    winnowHome: winnowHome === undefined ? undefined : path.resolve(winnowHome)
  };
}

/** Pauses or stops the scavenges that may be. */
async function restScavenges(request: Request, context: OperationContext): Promise<ScavengeRest> {
  const place = scavengePlace(request);
  const found = await findOwnScavenge(place);
  if (found) {
    const { scavengeId, pid } = found;
    const message = `Asking the scavenge ${scavengeId} (process ${pid}) to pause for the backup.`;
    context.log({ level: 'info', message });
  }
  const held = found && (await holdOwnScavenge(place, context.control.signal));
  context.control.throwIfStopped();
  if (held) {
    return {
      mayScavenge: true,
      requireRest: () => held.requireHeld(),
      end: () => Promise.resolve(endHold(held, context))
    };
  }
  const nothing = { mayScavenge: false, requireRest: () => undefined };
  if (!request.node || !request.stopScavenge) return { ...nothing, end: () => Promise.resolve() };
  const wait = (ms: number): Promise<void> => waitFor(ms, context);
  const warn = (message: string): void => context.log({ level: 'warning', message });
  const end = await new SourceNode(new NodeClient(request.node)).stopScavenge(wait, warn);
  return { ...nothing, mayScavenge: request.stopScavenge, end };
}

function endHold(held: HeldScavenge, context: OperationContext): void {
  const { scavengeId } = held;
  const isThere = held.release();
  const message = isThere
    ? `The scavenge ${scavengeId} resumes.`
    : `The scavenge ${scavengeId} ended while it paused: start it again, it resumes where it stopped.`;
  context.log({ level: isThere ? 'info' : 'warning', message });
}
