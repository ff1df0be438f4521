/** Answers of the service, held against its published description. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Content {
  schema?: { $ref?: string };
  example?: unknown;
}
export interface DescribedAnswer {
  description: string;
  content?: Record<string, Content>;
}
export interface Described {
  operationId: string;
  responses: Record<string, DescribedAnswer>;
  requestBody?: { content: Record<string, Content> };
}
export interface ServiceDescription {
  openapi: string;
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, Described>>;
}

export const DESCRIPTION_FILE = fileURLToPath(new URL('../../../resources/openapi.json', import.meta.url));
export const published = JSON.parse(fs.readFileSync(DESCRIPTION_FILE, 'utf8')) as ServiceDescription;

const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'openapi', components: published.components });

/** What is wrong with a value, in words; empty if it has the form of the named schema. */
export function faultsOf(reference: string, value: unknown): string[] {
  const validate: ValidateFunction = ajv.compile({ $ref: `openapi${reference}` });
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** The operation that a request reaches: the path with the fewest parameters. */
function operationOf(method: string, target: string): Described | undefined {
  const path = target.split('?')[0] ?? '';
  const [found] = Object.entries(published.paths)
    .filter(([template]) =>
      new RegExp(`^${template.replaceAll(/[$.]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
    )
    .sort(([one], [other]) => one.split('{').length - other.split('{').length);
  return found?.[1][method.toLowerCase()];
}

/** What is wrong with an answer, in words. Of paths and methods that are not described, nothing. */
export function faultsOfAnswer(
  what: string,
  { status, headers, text }: { status: number; headers: Headers; text: string }
): string[] {
  const [method = 'GET', target = '/'] = what.split(' ');
  const operation = operationOf(method, target);
  if (!operation) return [];
  const described = operation.responses[status];
  // Refused before the operation was reached.
  if (!described && status >= 400) return [];
  if (!described) return [`${what} answers ${status}, which is not described`];
  const [type = ''] = headers.get('content-type')?.split(';') ?? [];
  const content = described.content?.[type];
  // With `Accept` an answer may be text, and a refusal a problem document.
  if (!content || type !== 'application/json') return [];
  if (content.schema?.$ref === undefined) return [];
  return faultsOf(content.schema.$ref.slice(0), JSON.parse(text)).map(
    (fault) => `${what} ${status}: ${fault}`
  );
}
