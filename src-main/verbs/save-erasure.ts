/** Writes an erasure report to the file that a person chose: the page to print, or the JSON for later. */
import { EngineError } from '../../src-core/index.ts';
import { saveFile } from '../settings/saved-file.ts';
import { erasurePage } from '../operations/erasure/erasure-page.ts';
import type { ErasureForm, ErasureReport } from '../contract/verbs/workbench-contract.ts';

export interface SaveProposal {
  title: string;
  /** Without a directory. */
  name: string;
  extension: string;
}

export async function saveErasureReport(
  report: ErasureReport | null,
  form: ErasureForm,
  chooseFile: (proposal: SaveProposal) => Promise<string | undefined>
): Promise<{ file: string } | null> {
  if (!report) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: 'This report is no longer available.',
      remedy: 'Create the report again.'
    });
  }
  const name = `erasure-report-${report.takenAt.slice(0, 10)}.${form}`;
  const file = await chooseFile({ title: 'Save the erasure report', name, extension: form });
  if (file === undefined) return null;
  const text = form === 'html' ? erasurePage(report) : `${JSON.stringify(report, null, 1)}\n`;
  saveFile(file, text, 'Choose another location.');
  return { file };
}
