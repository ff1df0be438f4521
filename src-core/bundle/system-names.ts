/**
 * Names that belong to the server. What a rule, a projection or a history looks at stays readable; everything else of
 * a name is replaced. A list on purpose: what is not named here is a name of the user's, also behind a `$`.
 */

/** Streams that every server has. */
export const SYSTEM_STREAMS: ReadonlySet<string> = new Set([
  '$all',
  '$streams',
  '$settings',
  '$users',
  '$scavenges',
  '$scavengePoints',
  '$epoch-information',
  '$persistentSubscriptionConfig',
  '$user-admin',
  '$user-ops',
  '$projections-$all',
  '$projections-$master',
  '$mem-gossip',
  '$mem-node-state'
]);

/** What stands behind the head of a system stream. */
export type NamedRest =
  /** A stream, or a category. */
  'stream' | 'type' | 'projection' | 'subscription' | 'run' | 'user' | 'text';

/** Heads of system streams; none begins another one. */
export const SYSTEM_HEADS: readonly (readonly [string, NamedRest])[] = [
  ['$$', 'stream'],
  ['$ce-', 'stream'],
  ['$category-', 'stream'],
  ['$et-', 'type'],
  ['$bc-', 'text'],
  ['$stats-', 'text'],
  ['$user-', 'user'],
  ['$scavenges-', 'run'],
  ['$projections-', 'projection'],
  ['$persistentsubscription-', 'subscription']
];

/** Tails of the streams of projections and of persistent subscriptions; a longer one comes before its own tail. */
export const SYSTEM_TAILS: readonly string[] = [
  '-emittedstreams-checkpoint',
  '-emittedstreams',
  '-checkpoint',
  '-parked',
  '-result',
  '-order'
];

export const SYSTEM_PROJECTIONS: ReadonlySet<string> = new Set([
  '$by_category',
  '$by_correlation_id',
  '$by_event_type',
  '$stream_by_category',
  '$streams'
]);

/** Roles that every server has. */
export const SYSTEM_ROLES: ReadonlySet<string> = new Set([
  '$all',
  '$admins',
  '$ops',
  '$systemRole',
  'admin',
  'ops'
]);

export const SYSTEM_TYPES: ReadonlySet<string> = new Set([
  '$>',
  '$@',
  '$metadata',
  '$settings',
  '$streamDeleted',
  '$streamReference',
  '$scavengePoint',
  '$scavengeStarted',
  '$scavengeChunksCompleted',
  '$scavengeMergeCompleted',
  '$scavengeIndexCompleted',
  '$scavengeCompleted',
  '$statsCollected',
  '$stats-collected',
  '$UserCreated',
  '$UserUpdated',
  '$User',
  '$ProjectionCreated',
  '$ProjectionDeleted',
  '$ProjectionUpdated',
  '$ProjectionsInitialized',
  '$ProjectionCheckpoint',
  '$Checkpoint',
  '$Result',
  '$ResultRemoved',
  '$partition',
  '$stream',
  '$StreamTracked',
  '$Eof',
  '$GapEvent',
  '$SubscriptionCheckpoint',
  '$PersistentConfig',
  '$PersistentConfig1',
  '$epoch-information'
]);

const GUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** A run's id is made at random by the server, and the history finds the run by it. */
export function isRunId(text: string): boolean {
  return GUID.test(text);
}
