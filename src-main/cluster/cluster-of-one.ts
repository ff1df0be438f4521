/** A node that is registered in no cluster is one by itself: its schedule has a name of its own in WINNOW_HOME. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseLocation } from '../operations/operation-contract.ts';
import type { LocalCluster } from '../settings/cluster-registry.ts';

export function clusterOfOne({ dataDirectory, indexDirectory }: DatabaseLocation): LocalCluster {
  const key = createHash('sha256').update(realPath(dataDirectory)).digest('hex').slice(0, 16);
  const member = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  return { kind: 'local', name: `node-${key}`, members: [member] };
}

/** A directory that is gone keeps its schedule's name by the path it had. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory);
  }
}
