/** A node that is not registered in a cluster is a cluster of one: its schedule has its own name in WINNOW_HOME. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseLocation } from '../contract/operations/operation-contract.ts';
import type { LocalCluster } from '../settings/cluster-registry.ts';

export function clusterOfOne({ dataDirectory, indexDirectory }: DatabaseLocation): LocalCluster {
  const key = createHash('sha256').update(realPath(dataDirectory)).digest('hex').slice(0, 16);
  const member = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  return { kind: 'local', name: `node-${key}`, members: [member] };
}

/** For a directory that no longer exists, the path as given: its schedule keeps the same name. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory);
  }
}
