/** What of each scavenge over HTTP or by schedule stands in the settings; a caller chooses the rest. */
import type { DatabaseLocation, RequestOf } from '../operations/operation-contract.ts';
import { knownMembership } from '../settings/cluster-membership.ts';
import type { ServeOptions } from './serve-options.ts';

export function baseRequest(options: ServeOptions, location: DatabaseLocation): RequestOf<'runScavenge'> {
  const { settings, winnowHome } = options;
  const membership = knownMembership({
    dataDirectory: location.dataDirectory,
    saidSingleNode: options.saidSingleNode,
    configuredSize: settings.number('ClusterSize'),
    winnowHome
  });
  return {
    ...location,
    ...membership,
    winnowHome,
    scavengePoint: settings.text('ScavengePointPlacement') as 'auto' | 'existing' | 'detached' | 'new',
    merge: settings.flag('DisableScavengeMerging') !== true,
    unsafeIgnoreHardDeletes: settings.flag('UnsafeIgnoreHardDelete') === true,
    alwaysKeepScavenged: settings.flag('AlwaysKeepScavenged') === true,
    cacheSizeBytes: settings.number('ScavengeBackendCacheSize'),
    hashUsersCacheCapacity: settings.number('ScavengeHashUsersCacheCapacity'),
    scavengeHistoryMaxAgeDays: settings.number('ScavengeHistoryMaxAge'),
    // An existing state keeps its page size unless one is asked for.
    ...(settings.isSet('ScavengeBackendPageSize') && { pageSize: settings.number('ScavengeBackendPageSize') })
  };
}
