/**
 * What the last complete verification found, for plans of a repair: they need not read the whole database again while no file
 * has changed. In this process, and for the next one in `health/HASH-findings.json` of WINNOW_HOME. A run never relies on it.
 */
import path from 'node:path';
import { z } from 'zod';
import type { RepairVerification } from '../../../src-core/index.ts';
import { finding } from '../../contract/operations/finding-report.ts';
import { readJsonFile, writeJsonFile } from '../../settings/json-file.ts';
import { directoriesOf, keptFileOf, type HealthPlace } from '../doctor/kept-health.ts';
import { timeOf, type OperationContext } from '../operation.ts';

/** More findings than this are found again: they would take too much memory. */
const MOST_FINDINGS = 10_000;

/** Bounded by the size of the file; read back from one that may have been changed, so its shape is checked. */
const keptFindings = z.object({
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  directory: z.string(),
  verifiedAt: z.string(),
  findings: z.array(finding).max(MOST_FINDINGS)
});

interface LastVerification extends RepairVerification {
  /** When it ended. */
  verifiedAt: string;
}

let last: { place: string; directory: string; verification: LastVerification } | undefined;

/** `directory`: the identity of the files, taken before they were read. */
export function keepVerification(
  place: HealthPlace,
  directory: string,
  { findings, ok }: RepairVerification,
  context: Pick<OperationContext, 'clock' | 'log'>
): void {
  const file = fileOf(place);
  if (findings.length > MOST_FINDINGS) {
    last = undefined;
    return;
  }
  const verifiedAt = timeOf(context);
  last = { place: placeOf(place), directory, verification: { findings, ok, verifiedAt } };
  if (file === undefined) return;
  try {
    writeJsonFile(file, { ...directoriesOf(place), directory, verifiedAt, findings });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.log({ level: 'warning', message: `What was found could not be stored: ${why}` });
  }
}

/** undefined: none is known, or a file has changed since. */
export function knownVerification(place: HealthPlace, directory: string): LastVerification | undefined {
  if (last?.place === placeOf(place) && last.directory === directory) return last.verification;
  const file = fileOf(place);
  const kept = file === undefined ? undefined : readJsonFile(file, keptFindings);
  const { dataDirectory, indexDirectory } = directoriesOf(place);
  if (kept?.directory !== directory) return undefined;
  if (kept.dataDirectory !== dataDirectory || kept.indexDirectory !== indexDirectory) return undefined;
  const { findings, verifiedAt } = kept;
  return { findings, ok: findings.every(({ severity }) => severity !== 'damage'), verifiedAt };
}

function fileOf(place: HealthPlace): string | undefined {
  return keptFileOf(place, 'findings');
}

function placeOf({ dataDirectory, indexDirectory }: HealthPlace): string {
  const data = path.resolve(dataDirectory);
  return `${data}\n${path.resolve(indexDirectory ?? path.join(data, 'index'))}`;
}
