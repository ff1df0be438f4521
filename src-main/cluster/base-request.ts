/** The part of a scavenge request over HTTP or by schedule that the settings decide; the caller chooses the rest. */
import type { DatabaseLocation, RequestOf } from '../contract/operations/operation-contract.ts';
import type { PointPlacement } from '../../src-core/index.ts';
import { knownMembership, type MembershipQuestion } from '../settings/cluster-membership.ts';
import type { Settings } from '../settings/settings.ts';

/** What says how a node is scavenged when no caller says it. */
export interface ConfiguredScavenges {
  settings: Settings;
  winnowHome: string;
  saidSingleNode: boolean;
}

export function baseRequest(
  options: ConfiguredScavenges,
  location: DatabaseLocation
): RequestOf<'runScavenge'> {
  const { settings, winnowHome } = options;
  const membership = knownMembership(membershipQuestion(options, location));
  return {
    ...location,
    ...membership,
    winnowHome,
    scavengePoint: settings.text('ScavengePointPlacement') as PointPlacement,
    merge: settings.flag('DisableScavengeMerging') !== true,
    unsafeIgnoreHardDeletes: settings.flag('UnsafeIgnoreHardDelete') === true,
    alwaysKeepScavenged: settings.flag('AlwaysKeepScavenged') === true,
    cacheSizeBytes: settings.number('ScavengeBackendCacheSize'),
    hashUsersCacheCapacity: settings.number('ScavengeHashUsersCacheCapacity'),
    scavengeHistoryMaxAgeDays: settings.number('ScavengeHistoryMaxAge'),
    // An existing state keeps its page size unless another one is set.
    ...(settings.isSet('ScavengeBackendPageSize') && { pageSize: settings.number('ScavengeBackendPageSize') })
  };
}

/** What options, configuration and registrations are asked about the cluster of a node. */
export function membershipQuestion(
  { settings, saidSingleNode, winnowHome }: ConfiguredScavenges,
  { dataDirectory }: DatabaseLocation
): MembershipQuestion {
  return { dataDirectory, saidSingleNode, configuredSize: settings.number('ClusterSize'), winnowHome };
}
