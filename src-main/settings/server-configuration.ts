/**
 * What a server's configuration file (YAML) says about its database: data directory, index directory, size of
 * the cluster. Names match without regard to case; older and newer servers use the same three. Relative paths
 * count from the folder of the file. Nothing else of the file is read, secrets least of all.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { EngineError } from '../../src-core/index.ts';

export interface ServerConfiguration {
  dataDirectory: string;
  indexDirectory?: string;
  clusterSize?: number;
}

export function readServerConfiguration(file: string): ServerConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(file, 'cannot be read', 'Choose a file that you may read.', cause);
  }
  let settings: unknown;
  try {
    settings = parse(text);
  } catch (cause) {
    throw refused(file, 'is not valid YAML', 'Choose the configuration file of a server.', cause);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw refused(file, 'holds no settings', 'Choose the configuration file of a server.');
  }
  const named = new Map(Object.entries(settings).map(([name, value]) => [canonical(name), value as unknown]));
  const folder = path.dirname(path.resolve(file));
  const dataDirectory = textOf(named.get('db'));
  if (dataDirectory === undefined) {
    throw refused(file, 'names no data directory', 'Add the setting Db, or open the data directory itself.');
  }
  const configuration: ServerConfiguration = { dataDirectory: path.resolve(folder, dataDirectory) };
  const indexDirectory = textOf(named.get('index'));
  if (indexDirectory !== undefined) configuration.indexDirectory = path.resolve(folder, indexDirectory);
  const clusterSize = Number(named.get('clustersize'));
  if (Number.isInteger(clusterSize) && clusterSize > 0) configuration.clusterSize = clusterSize;
  return configuration;
}

/** `ClusterSize`, `cluster-size` and `CLUSTER_SIZE` are one setting. */
function canonical(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function refused(file: string, what: string, remedy: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `The configuration file ${file} ${what}.`,
    remedy,
    details: { file, field: 'config' },
    cause
  });
}
