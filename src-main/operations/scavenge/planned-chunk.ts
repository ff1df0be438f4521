/**
 * A chunk as a scavenge would leave it. The plan's first two phases compute the state of each stream; the chunk is
 * then rewritten by the scavenge's own code, into a temporary directory. The database is only read.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import {
  EngineError,
  NodeFileSystem,
  RewriteWorker,
  planScavenge,
  ticksFromIso,
  type Chunk,
  type ScavengeReportData
} from '../../../src-core/index.ts';
import { chunkOfFile } from '../chunks/chunk-of-file.ts';
import type { OperationContext } from '../operation.ts';
import { requests, type CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { engineRequest, refuseEncrypted, scavengeEnvironment } from './scavenge-run.ts';

const STATE = 'state.db';
const PLAN_STATE = '.plan.db';

export async function plannedChunk(
  request: CheckedRequestOf<'compareChunk'>,
  chunk: Chunk,
  scratch: string,
  context: OperationContext
): Promise<Chunk> {
  const options = requests.planScavenge.parse({
    dataDirectory: request.dataDirectory,
    ...(request.indexDirectory === undefined ? {} : { indexDirectory: request.indexDirectory }),
    ...(request.now === undefined ? {} : { now: request.now }),
    // As if all completed chunks were scavenged now, whatever was scavenged before.
    scavengePoint: 'detached',
    startAfresh: true,
    stopAfter: 'calculation',
    merge: false,
    scratchDirectory: scratch,
    winnowHome: scratch
  });
  await refuseEncrypted(options, context);
  const point = await planInto(engineRequest(options), scratch, context);
  const worker = new RewriteWorker({
    setup: {
      statePath: path.join(scratch, STATE),
      cacheSizeBytes: undefined,
      pointPosition: point.position,
      effectiveNow: ticksFromIso(point.effectiveNow) ?? 0n,
      ignoreHardDeletes: false
    },
    // The new file is written beside the plan's state: the context's file system may belong to another caller.
    fileSystem: new NodeFileSystem(),
    operation: context.control
  });
  const fileName = `${randomUUID()}.scavenge.tmp`;
  const { fileName: name, path: place, fileVersion, fileSize, header, footer, isActive, dataSize } = chunk;
  const order = {
    chunk: { fileName: name, path: place, fileVersion, fileSize, header, footer, isActive, dataSize },
    temporaryPath: path.join(scratch, fileName),
    chunkId: randomUUID(),
    formatVersion: header.version,
    isLargerWanted: true,
    largestBytes: Infinity,
    wantsDigest: false,
    isCheckedElsewhere: false,
    unsealedFromBytes: Infinity
  };
  try {
    await worker.prepare(order);
  } finally {
    worker.close();
  }
  return chunkOfFile(context.fileSystem, scratch, fileName);
}

/** Runs the plan up to its calculation and keeps its state, which it would otherwise remove at its end. */
async function planInto(
  request: Parameters<typeof planScavenge>[0],
  scratch: string,
  context: OperationContext
): Promise<NonNullable<ScavengeReportData['scavengePoint']>> {
  const report = await planScavenge(request, {
    ...scavengeEnvironment(context),
    keepsPlanState: true,
    trace: {
      entry: (entry) => {
        if (entry.kind === 'end' && entry.phase === 'calculate') keepState(scratch);
      }
    }
  });
  context.control.throwIfStopped();
  if (report.scavengePoint) return report.scavengePoint;
  throw new EngineError({
    code: 'InvalidRequest',
    message: 'A scavenge would have nothing to do: no chunk is completed.',
    remedy: 'Choose a database with completed chunks.'
  });
}

/** Part of the state may still be in the journal beside the file. */
function keepState(scratch: string): void {
  const state = readdirSync(scratch)
    .filter((name) => name.endsWith(PLAN_STATE))
    .at(-1);
  if (state === undefined) return;
  for (const suffix of ['', '-wal']) {
    const found = readdirSync(scratch).includes(state + suffix);
    if (found) copyFileSync(path.join(scratch, state + suffix), path.join(scratch, STATE + suffix));
  }
}
