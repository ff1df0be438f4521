// Writes the table of starts into docs/operations/doctor.md: for each golden database what the server did and what
// the doctor says. Run with Node 24: npx node scripts/make-doctor-table.mjs. A test checks that it is current.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTable, TABLE_END, TABLE_START } from '../test/support/start-table.ts';

const page = fileURLToPath(new URL('../docs/operations/doctor.md', import.meta.url));
const text = readFileSync(page, 'utf8');
const [before] = text.split(TABLE_START);
const [, after] = text.split(TABLE_END);
writeFileSync(page, `${before}${await startTable()}${after}`);
