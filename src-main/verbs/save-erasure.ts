/** Saves an erasure report or the certificate of a redaction as a file: the page to print, or the JSON for later. */
import { EngineError } from '../../src-core/index.ts';
import { erasurePage } from '../operations/erasure/erasure-page.ts';
import { redactionPage } from '../operations/redaction/redaction-page.ts';
import type { RedactionReport } from '../contract/operations/redaction-reports.ts';
import type { ErasureForm, ErasureReport, SavedText } from '../contract/verbs/workbench-contract.ts';
import { saveText, type ChooseSaveFile } from './save-text.ts';

export async function saveErasureReport(
  report: ErasureReport | RedactionReport | null,
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
  const isCertificate = 'result' in report;
  const day = (isCertificate ? report.startedAt : report.takenAt).slice(0, 10);
  const name = `${isCertificate ? 'redaction' : 'erasure-report'}-${day}.${form}`;
  const page = (): string => (isCertificate ? redactionPage(report) : erasurePage(report));
  const text = form === 'html' ? page() : `${JSON.stringify(report, null, 1)}\n`;
  const title = isCertificate ? 'Save the certificate' : 'Save the erasure report';
  return saveText({ title, name, extension: form }, text, chooseFile);
}
