/**
 * The licence that a person chose in the window or on a served page, kept in WINNOW_HOME: in force for every service of
 * that home whose own settings name none.
 */
import path from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

const stored = z.object({ licenseFile: z.string().nullable() });

/** A file, or the name of the evaluation licence; undefined: none was chosen. */
export function chosenLicenceFile(home: string): string | undefined {
  return readJsonFile(fileIn(home), stored)?.licenseFile ?? undefined;
}

/** null: none any longer. */
export function keepChosenLicence(home: string, licenseFile: string | null): void {
  writeJsonFile(fileIn(home), { licenseFile });
}

function fileIn(home: string): string {
  return path.join(home, 'licence.json');
}
