/** An erasure report that was saved as JSON, from a file of this machine: what a later one is compared with. */
import type { ErasureReport } from '../../src-main/contract/verbs/workbench-contract.ts';

/** A report names each file of a database and of its backups. */
const MOST_BYTES = 16 * 1024 * 1024;

export type SavedReport = Pick<ErasureReport, 'takenAt'> & { files: { file: string; sha256: string }[] };

/** undefined: no such report. */
export async function readSavedReport(file: File): Promise<SavedReport | undefined> {
  return file.size > MOST_BYTES ? undefined : savedReportIn(await file.text());
}

export function savedReportIn(text: string): SavedReport | undefined {
  try {
    const { takenAt, files } = JSON.parse(text) as Record<string, unknown>;
    if (typeof takenAt !== 'string' || !Array.isArray(files)) return undefined;
    const named = files.filter(isNamedFile).map(({ file, sha256 }) => ({ file, sha256 }));
    return named.length === files.length ? { takenAt, files: named } : undefined;
  } catch {
    return undefined;
  }
}

function isNamedFile(value: unknown): value is { file: string; sha256: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { file, sha256 } = value as Record<string, unknown>;
  return typeof file === 'string' && typeof sha256 === 'string';
}
