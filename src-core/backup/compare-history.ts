/**
 * May a backup of this source lie beside the backups that are there, and may it be built on one of them? Pure.
 *
 * Same history: epochs of one number have one id. Same node: the database tag where both have one, else the
 * address, else the data directory. Files of two nodes are never mixed, not even of one cluster: their chunks have
 * been scavenged and merged apart.
 */
import { invalidRequest, type EngineError } from '../errors.ts';
import type { Manifest, ManifestEpoch } from './manifest.ts';
import type { SourceIdentity } from './source-identity.ts';

type Earlier = Pick<Manifest, 'id' | 'databaseTag' | 'node' | 'epochs' | 'checkpoints'>;

/** `unknown`: no epoch of one number in both. */
export type HistoryRelation = 'same' | 'forked' | 'foreign' | 'unknown';

export function compareHistories(
  a: readonly ManifestEpoch[],
  b: readonly ManifestEpoch[]
): { relation: HistoryRelation; conflict: { number: number; ids: [string, string] } | undefined } {
  const byNumber = new Map(b.map((epoch) => [epoch.number, epoch]));
  let equal = 0;
  let conflict: { number: number; ids: [string, string] } | undefined;
  for (const epoch of a) {
    const other = byNumber.get(epoch.number);
    if (!other) continue;
    if (other.id === epoch.id && other.position === epoch.position) equal++;
    // The oldest conflict tells where the histories part; the lists are newest first.
    else conflict = { number: epoch.number, ids: [epoch.id, other.id] };
  }
  const relation = conflict ? (equal > 0 ? 'forked' : 'foreign') : equal > 0 ? 'same' : 'unknown';
  return { relation, conflict };
}

export function isSameNode(earlier: Earlier, source: SourceIdentity): boolean {
  if (earlier.databaseTag !== null && source.databaseTag !== null) {
    return earlier.databaseTag === source.databaseTag;
  }
  if (earlier.node.address !== null && source.address !== null)
    return earlier.node.address === source.address;
  return earlier.node.dataDirectory === source.dataDirectory;
}

/**
 * The checkpoint files are not the same as before: a restore or a copy replaced them. False if they were not
 * recorded.
 */
export function isReplaced(earlier: string | null | undefined, now: string | null | undefined): boolean {
  return typeof earlier === 'string' && typeof now === 'string' && earlier !== now;
}

/** For messages: where a backup came from. */
export function describeOrigin(earlier: Earlier): string {
  return describe(earlier.node.address, earlier.node.dataDirectory, earlier.databaseTag);
}

export function describeSource(source: SourceIdentity): string {
  return describe(source.address, source.dataDirectory, source.databaseTag);
}

function describe(address: string | null, dataDirectory: string, tag: string | null): string {
  const place = address === null ? dataDirectory : `${address} (${dataDirectory})`;
  return tag === null ? place : `${place}, database tag ${tag}`;
}

/** Refuses a source whose history is not that of the backups in the target, and says so when it has forked. */
export function requireSameCluster(earlier: Earlier, source: SourceIdentity): string | undefined {
  const { relation, conflict } = compareHistories(earlier.epochs, source.epochs);
  if (relation === 'foreign' && !isSameNode(earlier, source)) {
    throw refusal(
      `The backup ${earlier.id} is of ${describeOrigin(earlier)}; this is ${describeSource(source)}, with another history ` +
        `(epoch ${conflict?.number} is ${conflict?.ids[0]} there and ${conflict?.ids[1]} here).`,
      'Keep the backups of each cluster in a separate target: name another directory.'
    );
  }
  if (relation !== 'forked' && relation !== 'foreign') return undefined;
  return (
    `The history of this node diverges from that of the backup ${earlier.id} at epoch ${conflict?.number}: ` +
    'it has been restored or truncated since.'
  );
}

/** Refuses to build on `earlier` unless it is an earlier state of the same node. */
export function requireBase(earlier: Earlier, source: SourceIdentity, isMoved: boolean): void {
  const both = `The backup ${earlier.id} is of ${describeOrigin(earlier)}; this is ${describeSource(source)}.`;
  if (!isSameNode(earlier, source) && !isMoved) {
    throw refusal(
      `${both} Files of two nodes must not be mixed.`,
      'Take a full backup of this node, or give --moved if it is the same node at another place.'
    );
  }
  const hasTags = earlier.databaseTag !== null && source.databaseTag !== null;
  if (hasTags && earlier.databaseTag !== source.databaseTag) {
    throw refusal(`${both} The tags show that these are two databases.`, 'Take a full backup of this node.');
  }
  const isElsewhere =
    (earlier.node.address !== null && source.address !== null && earlier.node.address !== source.address) ||
    earlier.node.dataDirectory !== source.dataDirectory;
  if (isElsewhere && !isMoved) {
    throw refusal(
      `${both} The ${hasTags ? 'tag' : 'address'} is the same, but this may be a copy that has since diverged.`,
      'Give --moved if it is the same node at another place, else take a full backup.'
    );
  }
  const { relation, conflict } = compareHistories(earlier.epochs, source.epochs);
  if (relation === 'forked' || relation === 'foreign') {
    throw refusal(
      `${both} Their histories diverge at epoch ${conflict?.number} (${conflict?.ids[0]} there, ${conflict?.ids[1]} here): ` +
        'the node has been restored or truncated since.',
      'Take a full backup.'
    );
  }
  if (source.writer < earlier.checkpoints.writer) {
    throw refusal(
      `${both} Its log ends at ${source.writer}, before the end of that backup (${earlier.checkpoints.writer}): ` +
        'the node has been restored or truncated since.',
      'Take a full backup.'
    );
  }
  // A move by copying is what --moved says; in its old place the database has not moved.
  if (!isElsewhere && isReplaced(earlier.node.checkpointFiles, source.checkpointFiles)) {
    throw refusal(
      `${both} Its checkpoints are no longer the same files: the node has been restored or its files replaced since.`,
      'Take a full backup.'
    );
  }
}

function refusal(message: string, remedy: string): EngineError {
  return invalidRequest(message, '--mode', remedy);
}
