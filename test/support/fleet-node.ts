/** A node as the page of all nodes tells it: sound, scavenged, backed up; `edit` changes it. */
import type { FleetNode } from '../../src-main/contract/operations/fleet-reports.ts';

export function fleetNode(edit: Partial<FleetNode> = {}): FleetNode {
  return {
    name: 'orders',
    dataDirectory: '/data/orders',
    indexDirectory: null,
    cluster: null,
    error: null,
    health: {
      state: 'sound',
      checkedAt: '2026-03-10T00:00:00.0000000Z',
      by: 'verify',
      code: null,
      words: 'No damage was found.',
      damageCount: 0,
      isPartial: false,
      before: null,
      directory: 'd'
    },
    inUse: null,
    writerCheckpoint: 5000,
    logBytes: 6000,
    indexBytes: 700,
    freeBytes: 80_000,
    removableBytes: 900,
    diskFull: null,
    growthUnknown: null,
    coverage: null,
    lastScavenged: '2026-03-09T00:00:00.0000000Z',
    lastScavengedFrom: 'history',
    backupTarget: '/backups',
    lastBackup: {
      id: 'b',
      endedAt: '2026-03-10T01:00:00.0000000Z',
      verifiedAt: null,
      rehearsedAt: '2026-03-10T02:00:00.0000000Z',
      isRehearsedWell: true
    },
    backupError: null,
    nextBackup: '2026-03-12T01:00:00.000Z',
    scheduledBackupFailure: null,
    notes: [],
    needsLook: false,
    ...edit
  };
}
