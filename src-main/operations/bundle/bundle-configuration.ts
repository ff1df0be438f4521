/**
 * The configuration of a server as a bundle has it: every key, and no value but switches, numbers and a few words that
 * nobody can have made up. Paths, hosts and users are secrets like passwords, and a list of what is secret is never whole.
 */
import { EngineError, invalidRequest, readRegularFile } from '../../../src-core/index.ts';
import { yamlLibrary } from '../../settings/yaml-library.ts';

export const BUNDLE_CONFIGURATION = 'configuration.yaml';

const LARGEST = 1024 * 1024;
const HIDDEN = '***';
const SECRET_KEY =
  /pass|secret|key|token|licen|credential|auth|cert|thumb|user|account|connection|salt|pin$/i;
const PLAIN_VALUE =
  /^(?:true|false|all|none|system|async|default|enabled|disabled|-?\d{1,12}(?:\.\d{1,6})?)$/i;
/** A name as the server's settings have them; another one may be somebody's data. */
const PLAIN_KEY = /^[A-Za-z][A-Za-z0-9_]{0,60}$/;
const DEEPEST = 20;

/** Throws InvalidRequest for a file that is no YAML. */
export function readBundleConfiguration(file: string): Buffer {
  const { parseDocument, stringify } = yamlLibrary();
  let text: string;
  try {
    text = readRegularFile(file, LARGEST).toString('utf8');
  } catch (error) {
    throw unreadableConfiguration(file, error);
  }
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    throw invalidRequest(`${file} is no YAML.`, '--config', 'Name the configuration file of the server.');
  }
  const plain: unknown = document.toJS({ maxAliasCount: 100 });
  return Buffer.from(stringify(withoutValues(plain, { isSecret: false, depth: 0 })), 'utf8');
}

function unreadableConfiguration(file: string, error: unknown): unknown {
  if (!(error instanceof EngineError) && !(error instanceof Error && 'syscall' in error)) return error;
  const reason = error instanceof EngineError ? error.details['reason'] : undefined;
  if (reason === 'tooLarge') {
    return invalidRequest(
      `${file} is too large for a configuration.`,
      '--config',
      'Name the configuration file.'
    );
  }
  const isOther = error instanceof EngineError && reason === 'notARegularFile';
  return invalidRequest(
    `The configuration file ${file} cannot be read${isOther ? `: it is ${String(error.details['found'])}` : ''}.`,
    '--config',
    'Check the path and the permissions.'
  );
}

function withoutValues(value: unknown, { isSecret, depth }: { isSecret: boolean; depth: number }): unknown {
  if (value === null || value === undefined) return null;
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, { isSecret, depth: depth + 1 }));
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item], i) => [
        PLAIN_KEY.test(key) ? key : `(key ${i + 1})`,
        withoutValues(item, { isSecret: isSecret || SECRET_KEY.test(key), depth: depth + 1 })
      ])
    );
  }
  if (isSecret) return HIDDEN;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  return typeof value === 'string' && PLAIN_VALUE.test(value) ? value : HIDDEN;
}
