/** Saves an erasure report as a file: the page to print, or the JSON for later. */
import { EngineError } from '../../src-core/index.ts';
import { erasurePage } from '../operations/erasure/erasure-page.ts';
import type { ErasureForm, ErasureReport, SavedText } from '../contract/verbs/workbench-contract.ts';
import { saveText, type ChooseSaveFile } from './save-text.ts';

export async function saveErasureReport(
  report: ErasureReport | null,
  form: ErasureForm,
  chooseFile: ChooseSaveFile | undefined
): Promise<SavedText | null> {
  if (!report) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: 'This report is no longer available.',
      remedy: 'Create the report again.'
    });
  }
  const name = `erasure-report-${report.takenAt.slice(0, 10)}.${form}`;
  const text = form === 'html' ? erasurePage(report) : `${JSON.stringify(report, null, 1)}\n`;
  return saveText({ title: 'Save the erasure report', name, extension: form }, text, chooseFile);
}
