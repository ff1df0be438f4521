/**
 * Errors that came outside of every test of a run (a promise that nobody waited for, a process that ended): vitest fails
 * the run by them, and its report as JSON does not name them. Written to the file that WINNOW_OUTSIDE_ERRORS names, one
 * text each, for the end of `npm test`.
 */
import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

export default class OutsideErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env['WINNOW_OUTSIDE_ERRORS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(withPlace)));
  }
}

/** With the file and the test during which it came, as far as vitest knows them. */
function withPlace(error: SerializedError): { file?: unknown; text: string } {
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error;
  const place = [file, test].filter((word) => typeof word === 'string').join(', ');
  return { file, text: `${place === '' ? 'no test' : place}\n${error.stack ?? error.message}` };
}
