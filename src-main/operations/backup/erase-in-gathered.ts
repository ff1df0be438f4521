/** What is done to the gathered database of a backup: a scavenge that writes nothing to the log, or a redaction. */
import path from 'node:path';
import { runScavenge, type DetachedPoint, type Manifest } from '../../../src-core/index.ts';
import { requests, type CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import type { OperationContext } from '../operation.ts';
import {
  asScavengeReport,
  engineRequest,
  refuseEncrypted,
  scavengeEnvironment
} from '../scavenge/scavenge-run.ts';
import { hasNewFiles, type ErasureSteps } from './erasure-steps.ts';
import type { RepeatableSource } from './repeatable-source.ts';
import { CannotContinue, type GatheredBackup } from './gather-backup.ts';
import { redactInGathered } from './redact-in-gathered.ts';

type Erase = CheckedRequestOf<'eraseInBackup'>['erase'];

export interface Erased {
  scavenge: ScavengeReport | null;
  redaction: RedactionReport | null;
  /** Number of the scavenge point; null for a detached one and for a redaction. */
  point: number | null;
  /** The detached point. */
  detachedPoint: DetachedPoint | null;
  /** Files were made again. */
  isChanged: boolean;
}

export interface EraseWork {
  gathered: GatheredBackup;
  erase: Erase;
  repeatable: RepeatableSource;
  steps: ErasureSteps;
  /** Of the backup. */
  manifest: Manifest;
}

/** Done at most once: an earlier run that came through left what it gave. */
export async function eraseInGathered(work: EraseWork, context: OperationContext): Promise<Erased> {
  const { steps, gathered } = work;
  let erased = steps.note.erased as Erased | null;
  if (steps.note.step !== 'erased') {
    erased = await eraseNow(work, context);
    steps.enter({ step: 'erased', erased });
  }
  // No restore brings the state of a scavenge back, and it holds the names of streams.
  context.fileSystem.removeDirectory(path.join(gathered.indexDirectory, 'scavenging'));
  return erased!;
}

async function eraseNow(
  { gathered, erase, repeatable, steps, manifest }: EraseWork,
  context: OperationContext
): Promise<Erased> {
  const isResumed = steps.note.attempts > 0;
  steps.enter({ attempts: steps.note.attempts + 1 });
  if (erase.kind === 'redaction') {
    const redaction = await redactInGathered({ gathered, erase, steps, isResumed }, context);
    // A run that was stopped between two chunks is no base for a backup.
    context.control.throwIfStopped();
    return {
      scavenge: null,
      redaction,
      point: null,
      detachedPoint: null,
      isChanged: redaction.chunks.length > 0
    };
  }
  const scavenge = await scavengeTo(erase, { gathered, repeatable, steps, isResumed }, context);
  context.control.throwIfStopped();
  const { scavengePoint, chunks, indexEntriesDiscarded } = scavenge;
  return {
    scavenge,
    redaction: null,
    point: scavengePoint?.placement === 'existing' ? scavengePoint.number : null,
    detachedPoint:
      scavengePoint?.placement === 'detached'
        ? { position: scavengePoint.position, effectiveNow: scavengePoint.effectiveNow }
        : null,
    isChanged:
      chunks.some(({ newFile }) => newFile !== null) ||
      indexEntriesDiscarded > 0 ||
      // What an earlier run did is not in the report of this one.
      (isResumed && hasNewFiles(manifest, gathered))
  };
}

/** The newest point that the log holds; if it holds none, the end of the last completed chunk. */
async function scavengeTo(
  { scavengePoint, threshold }: Extract<Erase, { kind: 'scavenge' }>,
  { gathered, repeatable, steps, isResumed }: Omit<EraseWork, 'erase' | 'manifest'> & { isResumed: boolean },
  context: OperationContext
): Promise<ScavengeReport> {
  const { placement: before } = steps.note;
  const run = async (placement: 'existing' | 'detached'): Promise<ScavengeReport> => {
    steps.enter({ placement });
    const request = requests.runScavenge.parse({
      ...gathered,
      scavengePoint: placement,
      threshold: placement === 'detached' ? threshold : 0,
      // What is to go must go, also where the copy is no smaller; and what stays is to be shared with the old files.
      alwaysKeepScavenged: true,
      merge: false
    });
    await refuseEncrypted(request, context);
    return asScavengeReport(
      await runScavenge(engineRequest(request), { ...scavengeEnvironment(context), ...repeatable })
    );
  };
  if (scavengePoint === 'detached' || before === 'detached') return run('detached');
  const report = await run('existing');
  // Either the log holds none, or the earlier run had just reached it: only a fresh one knows.
  if (isResumed && report.scavengePoint === null) throw new CannotContinue('A scavenge was cut at its end.');
  return report.scavengePoint === null && scavengePoint === 'auto' ? run('detached') : report;
}

export function pointWords(placement: 'auto' | 'existing' | 'detached'): string {
  switch (placement) {
    case 'existing':
      return 'the newest scavenge point that the log of the backup holds';
    case 'detached':
      return 'detached, at the end of the last completed chunk';
    case 'auto':
      return 'the newest scavenge point that the log of the backup holds; if it holds none, detached at the end of the last completed chunk';
  }
}
