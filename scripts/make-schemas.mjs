// Writes resources/schemas/*.json, one JSON Schema per command, from the reports of src-main/contract/operations/reports.ts.
// Run with Node 24: npx node scripts/make-schemas.mjs. A test checks that the files are current. A change that removes
// something for readers is refused until SCHEMA_VERSIONS of report-schemas.ts counts the schema up.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaFiles } from '../src-main/contract/operations/report-schemas.ts';
import { losses, versionOf } from './schema-changes.mjs';

const directory = fileURLToPath(new URL('../resources/schemas/', import.meta.url));
mkdirSync(directory, { recursive: true });
for (const { name, text } of schemaFiles()) {
  const file = `${directory}${name}`;
  const [earlier, later] = [existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}, JSON.parse(text)];
  const lost = versionOf(later) > versionOf(earlier) ? [] : losses(earlier, later);
  if (lost.length > 0) {
    console.error(`${name} needs a new version, in SCHEMA_VERSIONS:\n${lost.join('\n')}`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
