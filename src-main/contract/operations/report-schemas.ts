/**
 * The JSON Schemas of all commands, generated from the reports. A script writes them to resources/schemas. They allow
 * unknown members: later versions may add some.
 */
import { z } from 'zod';
import { ACTIVITY_SCHEMAS } from './activity-reports.ts';
import { BACKUP_SCHEMAS } from './backup-reports.ts';
import { BUNDLE_SCHEMAS } from './bundle/bundle-reports.ts';
import { COMMAND_SCHEMAS, DRY_RUNS } from './command-reports.ts';
import { DIFFERENCE_SCHEMAS } from './difference-reports.ts';
import { DOCTOR_SCHEMAS } from './doctor-reports.ts';
import { ERASURE_SCHEMAS } from './erasure-reports.ts';
import { EXTRACTION_SCHEMAS } from './extraction-reports.ts';
import { FLEET_SCHEMAS } from './fleet-reports.ts';
import { EXPLAIN_SCHEMAS } from './explain-reports.ts';
import { REDACTION_SCHEMAS } from './redaction-reports.ts';
import { REPORT_SCHEMAS } from './reports.ts';
import { RESTORE_SCHEMAS } from './restore-reports.ts';
import { UNDO_SCHEMAS } from './undo/undo-reports.ts';
import { USAGE_SCHEMAS } from './usage-reports.ts';

/** Commands that answer with one object per line: their schema is that of one line. */
const STREAMS: ReadonlySet<string> = new Set(['records', 'streams', 'read', 'index-entries']);

/**
 * Schemas that have taken something away from readers (a member, a value, a form), with the count of such changes and one;
 * 1 for the others. scripts/make-schemas.mjs refuses such a change without it.
 */
const SCHEMA_VERSIONS: Readonly<Record<string, number>> = {};

export interface SchemaFile {
  /** File name, such as `inspect.json`. */
  name: string;
  text: string;
}

export function schemaFiles(): SchemaFile[] {
  return Object.entries({
    ...REPORT_SCHEMAS,
    ...ACTIVITY_SCHEMAS,
    ...BACKUP_SCHEMAS,
    ...BUNDLE_SCHEMAS,
    ...COMMAND_SCHEMAS,
    ...DIFFERENCE_SCHEMAS,
    ...DOCTOR_SCHEMAS,
    ...EXPLAIN_SCHEMAS,
    ...EXTRACTION_SCHEMAS,
    ...FLEET_SCHEMAS,
    ...ERASURE_SCHEMAS,
    ...REDACTION_SCHEMAS,
    ...RESTORE_SCHEMAS,
    ...UNDO_SCHEMAS,
    ...USAGE_SCHEMAS
  }).map(([command, report]) => {
    const planned = DRY_RUNS[command];
    const schema = z.toJSONSchema(planned === undefined ? report : z.union([report, planned]), {
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => {
        delete jsonSchema.additionalProperties;
        // It goes without saying that numbers are exact.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      }
    });
    return {
      name: `${command}.json`,
      text: `${JSON.stringify({ $id: idOf(command), ...schema, title: titleOf(command) }, null, 2)}\n`
    };
  });
}

function idOf(command: string): string {
  return `urn:winnow:schema:${command}:${SCHEMA_VERSIONS[command] ?? 1}`;
}

function titleOf(command: string): string {
  if (command === 'error') return 'A failure of any command';
  const words = command.replace('-', ' ');
  return STREAMS.has(command) ? `One line of winnow ${words} --json` : `winnow ${words} --json`;
}
