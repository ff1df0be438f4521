/**
 * What a server's configuration file (YAML) says that concerns us: directories, cluster size, scavenge settings.
 * Names are matched as the server matches them, ignoring case; hyphens and underscores of command-line and
 * environment spellings are ignored too, and a section named after the product (EventStore, KurrentDB, Service)
 * counts as if its members stood at the top. Relative paths count from the folder of the file. Settings of no concern are passed over. Never prints values:
 * such a file may hold passwords.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { EngineError, invalidRequest } from '../../src-core/index.ts';

export interface NodeConfiguration {
  dataDirectory: string;
  indexDirectory?: string;
  clusterSize?: number;
  disableScavengeMerging?: boolean;
  alwaysKeepScavenged?: boolean;
  unsafeIgnoreHardDelete?: boolean;
  /** As written: 1 to 64 are KiB, 512 to 65536 bytes. */
  scavengeBackendPageSize?: number;
  scavengeBackendCacheSizeBytes?: number;
  scavengeHashUsersCacheCapacity?: number;
  scavengeHistoryMaxAgeDays?: number;
}

/** A maximum age beyond the range of dates would make every later scavenge of a server fail. */
export const LONGEST_HISTORY_DAYS = 36_500;

const PRODUCT_SECTIONS = new Set(['eventstore', 'kurrentdb', 'kurrent', 'service']);
/** Where the server keeps its data when the file does not say. */
const DEFAULT_DIRECTORIES = ['/var/lib/kurrentdb', '/var/lib/eventstore'];

/** Reads `file`; InvalidRequest names what is wrong with it. */
export function readNodeConfiguration(file: string): NodeConfiguration {
  const settings = readSettings(file);
  const configured = textOf(settings, 'db', file);
  const dataDirectory = configured ?? DEFAULT_DIRECTORIES.find((directory) => fs.existsSync(directory));
  if (flagOf(settings, 'memdb', file) === true) {
    throw invalidRequest(`${file} says MemDb: this node keeps no files.`, 'MemDb', 'Name a data directory.');
  }
  if (dataDirectory === undefined) {
    throw invalidRequest(
      `${file} does not name a data directory.`,
      'Db',
      'Add Db, or name the directory itself.'
    );
  }
  const folder = path.dirname(path.resolve(file));
  const result: NodeConfiguration = { dataDirectory: path.resolve(folder, dataDirectory) };
  const index = textOf(settings, 'index', file);
  if (index !== undefined) result.indexDirectory = path.resolve(folder, index);
  const clusterSize = numberOf(settings, 'clustersize', file);
  if (clusterSize !== undefined) result.clusterSize = clusterSize;
  const noMerge = flagOf(settings, 'disablescavengemerging', file);
  if (noMerge !== undefined) result.disableScavengeMerging = noMerge;
  const keep = flagOf(settings, 'alwayskeepscavenged', file);
  if (keep !== undefined) result.alwaysKeepScavenged = keep;
  const ignore =
    flagOf(settings, 'unsafeignoreharddelete', file) ?? flagOf(settings, 'unsafeignoreharddeletes', file);
  if (ignore !== undefined) result.unsafeIgnoreHardDelete = ignore;
  const pageSize = numberOf(settings, 'scavengebackendpagesize', file);
  if (pageSize !== undefined) result.scavengeBackendPageSize = pageSize;
  const cacheSize = numberOf(settings, 'scavengebackendcachesize', file);
  if (cacheSize !== undefined) result.scavengeBackendCacheSizeBytes = cacheSize;
  const capacity = numberOf(settings, 'scavengehashuserscachecapacity', file);
  if (capacity !== undefined) result.scavengeHashUsersCacheCapacity = capacity;
  const historyMaxAge = numberOf(settings, 'scavengehistorymaxage', file);
  if (historyMaxAge !== undefined && (historyMaxAge < 1 || historyMaxAge > LONGEST_HISTORY_DAYS)) {
    throw wrongType('ScavengeHistoryMaxAge', `a number of days from 1 to ${LONGEST_HISTORY_DAYS}`, file);
  }
  if (historyMaxAge !== undefined) result.scavengeHistoryMaxAgeDays = historyMaxAge;
  return result;
}

type Settings = Map<string, unknown>;

function readSettings(file: string): Settings {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError({
      code: 'InvalidRequest',
      message: `The configuration file ${file} cannot be read: ${reason}.`,
      remedy: 'Check the path and the rights to the file.',
      details: { field: '--config', file: file },
      cause: error
    });
  }
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw invalidRequest(`${file} is not valid YAML: ${reason}`, '--config', 'Correct the file.');
  }
  const settings: Settings = new Map();
  if (document === null) return settings;
  if (!isSection(document)) {
    throw invalidRequest(
      `${file} does not hold settings by name.`,
      '--config',
      'Name a server configuration.'
    );
  }
  for (const [name, value] of Object.entries(document)) {
    const key = plainName(name);
    if (PRODUCT_SECTIONS.has(key) && isSection(value)) {
      for (const [inner, innerValue] of Object.entries(value)) settings.set(plainName(inner), innerValue);
    } else {
      settings.set(key, value);
    }
  }
  return settings;
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

function textOf(settings: Settings, name: string, file: string): string | undefined {
  const value = settings.get(name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw wrongType(name, 'a path', file);
  return value;
}

function flagOf(settings: Settings, name: string, file: string): boolean | undefined {
  const value = settings.get(name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'True') return true;
  if (value === 'false' || value === 'False') return false;
  throw wrongType(name, 'true or false', file);
}

function numberOf(settings: Settings, name: string, file: string): number | undefined {
  const value = settings.get(name);
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw wrongType(name, 'a whole number', file);
  return number;
}

function wrongType(name: string, wanted: string, file: string): EngineError {
  return invalidRequest(`In ${file} the setting "${name}" must be ${wanted}.`, name, 'Correct the file.');
}
