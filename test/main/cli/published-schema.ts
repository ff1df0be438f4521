/** What a command writes with --json, held against its published schema. */
import fs from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const SCHEMAS = new URL('../../../resources/schemas/', import.meta.url);
const ajv = new Ajv2020();
const compiled = new Map<string, ValidateFunction>();

/** `schema`: name of the file, without `.json`. */
export function expectValid(schema: string, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(documentOf(schema));
  compiled.set(schema, validate);
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

function documentOf(schema: string): object {
  return JSON.parse(fs.readFileSync(new URL(`${schema}.json`, SCHEMAS), 'utf8')) as object;
}
