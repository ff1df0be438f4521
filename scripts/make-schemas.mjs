// Writes resources/schemas/*.json, one JSON Schema per command, from the reports of src-main/contract/operations/reports.ts.
// Run with Node 24: npx node scripts/make-schemas.mjs. A test checks that the files are current.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaFiles } from '../src-main/contract/operations/report-schemas.ts';

const directory = fileURLToPath(new URL('../resources/schemas/', import.meta.url));
mkdirSync(directory, { recursive: true });
for (const { name, text } of schemaFiles()) writeFileSync(`${directory}${name}`, text);
