/** The password for a remote cluster: in a file only its owner can read, or from the environment for one run. */
import { existsSync, readFileSync, statSync, writeFileSync, mkdirSync, chmodSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest } from '../../src-core/index.ts';
import type { ClusterRegistry, RemoteCluster } from '../settings/cluster-registry.ts';

const FILE = 'password.txt';
const GROUP_AND_OTHERS = 0o077;

/** A value of the header Authorization; undefined when the cluster was registered without a user. */
export function authorizationOf(
  cluster: RemoteCluster,
  registry: ClusterRegistry,
  environment: Readonly<Record<string, string | undefined>>
): string | undefined {
  if (cluster.user === undefined) return undefined;
  const password = environment['WINNOW_CLUSTER_PASSWORD'] ?? storedPassword(cluster, registry);
  return `Basic ${Buffer.from(`${cluster.user}:${password}`, 'utf8').toString('base64')}`;
}

export function storePassword(cluster: RemoteCluster, registry: ClusterRegistry, password: string): void {
  const directory = registry.directoryOf(cluster.name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, FILE);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600); // the mode above is for a new file only
}

function storedPassword(cluster: RemoteCluster, registry: ClusterRegistry): string {
  const file = path.join(registry.directoryOf(cluster.name), FILE);
  if (!existsSync(file)) {
    throw invalidRequest(
      `There is no password for "${cluster.user}" of the cluster "${cluster.name}".`,
      'WINNOW_CLUSTER_PASSWORD',
      'Register the cluster again with --password-stdin, or set WINNOW_CLUSTER_PASSWORD.'
    );
  }
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & GROUP_AND_OTHERS) !== 0;
  if (isOpen) {
    throw invalidRequest(
      `Others than its owner may read ${file}.`,
      'password',
      `Run "chmod 600 ${file}", and change the password if somebody may have seen it.`
    );
  }
  return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '';
}
