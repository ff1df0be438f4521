/** All that only reads and needs no more than a directory, with what it asks for besides. */
import path from 'node:path';
import type { OperationName } from '../../src-main/contract/operations/operation-contract.ts';

export type Look = [operation: OperationName, members: Record<string, unknown>];

/** `others: 'itself'`: the directory that is asked about is the other one too. */
export function looksWith(home: string): Look[] {
  return [
    ['inspectDatabase', { winnowHome: home }],
    ['listChunks', {}],
    ['inspectIndex', {}],
    ['verifyDatabase', { quick: false, threads: 1 }],
    ['compareDatabases', { others: 'itself', readAll: true, winnowHome: home }],
    [
      'extractEvents',
      { to: path.join(home, 'out.jsonl'), overwrite: true, systemStreams: true, winnowHome: home }
    ],
    ['examineStart', { thorough: true }],
    ['forecastStartup', {}],
    ['planScavenge', { scavengePoint: 'existing', winnowHome: home }],
    ['planScavenge', { scavengePoint: 'detached', winnowHome: home, startAfresh: true }],
    ['planCluster', { others: 'itself', window: '02:00-04:00', winnowHome: home }],
    ['planRescue', { winnowHome: home }],
    ['explain', { chunk: 0 }],
    ['explainRecords', { positions: [0], winnowHome: home }],
    ['listHistory', { winnowHome: home }],
    ['listRecords', { limit: 50 }],
    ['listStreams', {}],
    ['readStream', { stream: '$all', limit: 50 }],
    ['listIndexEntries', { limit: 50 }],
    ['readChunkPage', { chunk: 0 }],
    ['readStreamsPage', {}],
    ['readStreamCategories', { winnowHome: home }],
    ['usageOfStreams', { streams: ['$settings'], winnowHome: home }],
    ['describeChunk', { chunk: 0 }],
    ['readTimeline', {}],
    ['readIndexMap', {}],
    ['lookUpStream', { stream: '$scavengePoints' }]
  ];
}
