/**
 * Takes a backup, or says what it would be. A scavenge of ours that works on the database is stopped, waited for
 * and gone on with afterwards; that of a server is stopped only where it was asked for.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import packageFacts from '../../package.json' with { type: 'json' };
import {
  invalidRequest,
  planBackup as planCoreBackup,
  runBackup,
  ticksFromMs,
  type BackupEnvironment,
  type BackupRequest
} from '../../src-core/index.ts';
import { NodeClient } from '../backup/node-client.ts';
import { findOwnScavenge, stopOwnScavenge, type OwnScavenge } from '../backup/own-scavenge.ts';
import type { OpenTarget } from '../backup/open-target.ts';
import { SourceNode } from '../backup/source-node.ts';
import type { BackupPlanReport, BackupsReport } from './backup-reports.ts';
import { isRemoteLocation } from '../backup-targets/s3-location.ts';
import { backupRowOf, withTarget } from './backup-target-access.ts';
import type { OperationContext } from './operation.ts';
import { requests, type CheckedRequestOf } from './operation-contract.ts';
import { runScavenge } from './run-scavenge.ts';

type Request = CheckedRequestOf<'createBackup'>;

export async function createBackup(request: Request, context: OperationContext): Promise<BackupsReport> {
  return withTarget({ ...request, mustExist: false }, context, async (open, threads) => {
    requireOutside(request);
    const startAgain = await stopScavenges(request, context);
    let manifest;
    try {
      manifest = await runBackup(coreRequest(request, threads), environmentOf(request, context, open));
    } catch (error) {
      await startAgain().catch((failure: unknown) => {
        const reason = failure instanceof Error ? failure.message : String(failure);
        context.log({ level: 'warning', message: `The scavenge was not started again: ${reason}` });
      });
      throw error;
    }
    await startAgain();
    const backups = [await backupRowOf(open.target, manifest)];
    return { target: open.target.description, backups, unfinished: [], damaged: [], warnings: [] };
  });
}

export async function planBackup(request: Request, context: OperationContext): Promise<BackupPlanReport> {
  return withTarget({ ...request, threads: 1, mustExist: false }, context, async (open, threads) => {
    requireOutside(request);
    const own = ownScavenge(request, context);
    const node = request.node && new SourceNode(new NodeClient(request.node));
    const plan = await planCoreBackup(coreRequest(request, threads), {
      ...backupEnvironment(context, open),
      askNode: node && (() => node.facts({ mayScavenge: request.stopScavenge })),
      willStopScavenge: own !== undefined
    });
    const willStop = own && {
      code: 'scavengeStopped',
      message: `The scavenge ${own.scavengeId} (process ${own.pid}) will be stopped, and gone on with afterwards.`,
      remedy: 'Nothing to do.'
    };
    return {
      target: open.target.description,
      mode: plan.mode,
      basedOn: plan.base?.id ?? null,
      resumes: plan.unfinished?.id ?? null,
      fileCount: plan.fileCount,
      bytes: plan.bytes,
      bytesToCopy: plan.bytesToCopy,
      freeBytes: plan.freeBytes ?? null,
      notes: willStop ? [...plan.notes, willStop] : plan.notes
    };
  });
}

/** The server removes what it does not know from its directories, and a backup must not hold itself. */
function requireOutside(request: Request): void {
  if (isRemoteLocation(request.target)) return;
  const target = path.resolve(request.target);
  const { dataDirectory, indexDirectory } = coreRequest(request, 1);
  for (const directory of [dataDirectory, indexDirectory]) {
    const relative = path.relative(directory, target);
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue;
    throw invalidRequest(
      `The target ${target} lies in ${directory}, which is to be backed up.`,
      '--to',
      'Name a directory outside the database, best on another disk.'
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

function environmentOf(request: Request, context: OperationContext, open: OpenTarget): BackupEnvironment {
  const node = request.node && new SourceNode(new NodeClient(request.node));
  return { ...backupEnvironment(context, open), askNode: node && (() => node.facts()) };
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

function ownScavenge(request: Request, context: OperationContext): OwnScavenge | undefined {
  return findOwnScavenge({
    fileSystem: context.fileSystem,
    dataDirectory: path.resolve(request.dataDirectory),
    winnowHome: request.winnowHome
  });
}

/** Stops what may be stopped; returns what starts it again, in the opposite order. */
async function stopScavenges(request: Request, context: OperationContext): Promise<() => Promise<void>> {
  const wait = (ms: number): Promise<void> => waitFor(ms, context);
  const own = ownScavenge(request, context);
  if (own) {
    context.log({
      level: 'info',
      message: `Stopping the scavenge ${own.scavengeId} (process ${own.pid}) for the backup.`
    });
    const dataDirectory = path.resolve(request.dataDirectory);
    await stopOwnScavenge(own, { fileSystem: context.fileSystem, dataDirectory, wait });
    return () => goOnScavenging(own, request, context);
  }
  if (!request.node || !request.stopScavenge) return () => Promise.resolve();
  return new SourceNode(new NodeClient(request.node)).stopScavenge(wait);
}

/** The run that was stopped has left its checkpoint: an unfinished run is what a scavenge goes on with first. */
async function goOnScavenging(own: OwnScavenge, request: Request, context: OperationContext): Promise<void> {
  if (context.control.signal?.aborted) {
    const message = `The scavenge ${own.scavengeId} is still stopped: start it again, it goes on where it stopped.`;
    context.log({ level: 'warning', message });
    return;
  }
  context.log({ level: 'info', message: `Going on with the scavenge ${own.scavengeId}.` });
  const scavenge = requests.runScavenge.parse({
    dataDirectory: request.dataDirectory,
    ...(request.indexDirectory === undefined ? {} : { indexDirectory: request.indexDirectory }),
    scavengePoint: own.placement === 'detached' ? 'detached' : 'existing',
    threshold: own.threshold,
    winnowHome: request.winnowHome
  });
  await runScavenge(scavenge, context);
}
