/** Two clusters as the page of all nodes tells them: directories of this machine, and running nodes; `edit` changes the report. */
import type { FleetReport } from '../../src-main/contract/operations/fleet-reports.ts';
import { fleetNode } from './fleet-node.ts';

export function clusterReport(edit: Partial<FleetReport> = {}): FleetReport {
  const member = (node: string, state: string, writerCheckpoint: number | null) => ({
    ...{ node, state, isAlive: writerCheckpoint !== null, writerCheckpoint },
    error: writerCheckpoint === null ? 'It does not answer.' : null
  });
  return {
    at: '2026-03-11T00:00:00.000Z',
    nodes: [
      fleetNode({ name: 'data', dataDirectory: '/one/data', cluster: 'local' }),
      fleetNode({
        name: 'data',
        dataDirectory: '/two/data',
        cluster: 'local',
        lastScavenged: null,
        health: null
      })
    ],
    clusters: [
      {
        ...{ name: 'local', kind: 'local', error: null, nextScavenge: null },
        members: [member('/one/data', 'Stopped', 5000), member('/two/data', 'Stopped', 4000)]
      },
      {
        ...{ name: 'live', kind: 'remote', error: null, nextScavenge: '2026-03-12T06:00:00.000Z' },
        members: [member('10.0.0.1:2113', 'Leader', 9000), member('10.0.0.2:2113', 'Follower', null)]
      }
    ],
    ...edit
  };
}
