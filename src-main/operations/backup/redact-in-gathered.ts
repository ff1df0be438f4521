/**
 * A redaction in the gathered database of a backup. Its certificate names all that was done, so what was planned and what became
 * of each chunk is kept beside the database, each before the write that makes it: a run that continues a cut one has the
 * certificate of both.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { WrittenChunk } from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';
import type { OperationContext } from '../operation.ts';
import { redactEvents } from '../redaction/redact-events.ts';
import type { ErasureSteps } from './erasure-steps.ts';
import { CannotContinue, type GatheredBackup } from './gather-backup.ts';

/** What the note of the steps holds of it. */
interface KeptRedaction {
  planned: RedactionReport;
  written: WrittenChunk[];
}

type Erase = Extract<CheckedRequestOf<'eraseInBackup'>['erase'], { kind: 'redaction' }>;
type Chunk = RedactionReport['chunks'][number];

const MD5_LENGTH = 16;

export async function redactInGathered(
  parts: { gathered: GatheredBackup; erase: Erase; steps: ErasureSteps; isResumed: boolean },
  context: OperationContext
): Promise<RedactionReport> {
  const { gathered, erase, steps, isResumed } = parts;
  const { dataDirectory, indexDirectory } = gathered;
  const { eventIds, events } = erase;
  let kept = steps.note.redaction as KeptRedaction | null | undefined;
  // A version that did not keep it was cut.
  if (isResumed && kept === undefined)
    throw new CannotContinue('What a redaction did that was cut is not known.');
  const before = kept ?? undefined;
  const keep = (now: KeptRedaction): void => {
    kept = now;
    steps.enter({ redaction: now });
  };
  const where = { dataDirectory, indexDirectory, assumeStopped: false };
  const rest = await redactEvents({ ...where, eventIds, events }, context, {
    // What an earlier run planned was found in the backup as it was stored.
    onPlan: (planned) => {
      if (!before) keep({ planned, written: [] });
    },
    onWritten: (written) => keep({ ...kept!, written: [...kept!.written, written] })
  });
  return before && rest.result === 'redacted' ? joined(kept!, rest, dataDirectory) : rest;
}

/** As one run would tell it that did all that was planned. */
function joined(
  { planned, written }: KeptRedaction,
  rest: RedactionReport,
  dataDirectory: string
): RedactionReport {
  const files = new Map(rest.events.map(({ position, file }) => [position, file]));
  const toRedact = planned.events.filter(({ state }) => state === 'toRedact');
  const chunks = planned.chunks.map((chunk): Chunk => {
    const event = toRedact.find(({ file }) => file === chunk.oldFile);
    const newFile = event && files.get(event.position);
    // The last one: a cut before the switch had it written twice, with the same bytes.
    const made = written.findLast(({ before }) => before.fileName === chunk.oldFile);
    if (newFile === undefined || !made || storedHash(path.join(dataDirectory, newFile)) !== made.after.md5)
      throw new CannotContinue(`What became of ${chunk.oldFile} in a redaction that was cut is not known.`);
    return {
      ...chunk,
      newFile,
      ...{ sha256Before: made.before.sha256, sha256After: made.after.sha256 },
      ...{ md5Before: made.before.md5, md5After: made.after.md5 }
    };
  });
  const events = planned.events.map((event): RedactionReport['events'][number] => ({
    ...event,
    file: files.get(event.position) ?? event.file,
    state: event.state === 'toRedact' ? 'redacted' : event.state
  }));
  // What the cut itself left is none of the backup's.
  return { ...rest, startedAt: planned.startedAt, events, chunks, swept: planned.swept };
}

/** The hash that a completed chunk ends with. */
function storedHash(file: string): string {
  const descriptor = fs.openSync(file, 'r');
  try {
    const hash = Buffer.alloc(MD5_LENGTH);
    fs.readSync(descriptor, hash, 0, MD5_LENGTH, fs.fstatSync(descriptor).size - MD5_LENGTH);
    return hash.toString('hex');
  } finally {
    fs.closeSync(descriptor);
  }
}
