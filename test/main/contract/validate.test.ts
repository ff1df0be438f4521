import { expect, test } from 'vitest';
import { CALL_NAMES } from '../../../src-main/contract/verbs/operation-names.ts';
import { joinedRequest, verbRequests } from '../../../src-main/contract/verbs/validate.ts';
import type { CallName, WorkName } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { checkedRequest } from '../../../src-main/engine/engine-door.ts';

/** What becomes of a request on its way from the page through the engine's door. */
function engineRequest(
  name: CallName | WorkName,
  asked: unknown,
  filledIn: Record<string, unknown>
): unknown {
  const verb = CALL_NAMES.some((call) => call === name) ? 'call' : 'startWork';
  const { request } = verbRequests[verb].parse({ name, nodeId: 'a', request: asked });
  return checkedRequest(name, joinedRequest(name, request, filledIn));
}

const location = { dataDirectory: '/data/a', indexDirectory: '/data/a/index' };

test('fills in the directories and the defaults of the engine', () => {
  expect(engineRequest('readChunkPage', { chunk: 3 }, location)).toEqual({
    chunk: 3,
    offset: 0,
    limit: 200,
    ...location
  });
});

test('lets the page choose no path and no nature of a node', () => {
  const asked = {
    dataDirectory: '/etc',
    indexDirectory: '/etc',
    winnowHome: '/etc',
    scratchDirectory: '/etc',
    clusterSize: 1,
    singleNode: true
  };
  const request = engineRequest('planScavenge', asked, { dataDirectory: '/data/a' }) as Record<
    string,
    unknown
  >;
  expect(request['dataDirectory']).toBe('/data/a');
  expect(request['indexDirectory']).toBeUndefined();
  expect(request['winnowHome']).toBeUndefined();
  expect(request['scratchDirectory']).toBeUndefined();
  expect(request['clusterSize']).toBeUndefined();
  expect(request['singleNode']).toBeUndefined();
});

test.each([
  ['readChunkPage', { chunk: -1 }],
  ['readChunkPage', { chunk: 0, limit: 100_000 }],
  ['planScavenge', { threshold: -2 }],
  ['planScavenge', { throttlePercent: 0 }],
  ['describeRecord', 'text'],
  ['describeRecord', [1]]
] as const)('refuses %s with %j', (name, asked) => {
  expect(() => engineRequest(name, asked, location)).toThrow();
});

test.each([
  ['call', { name: 'runScavenge', nodeId: 'a', request: {} }],
  ['call', { name: 'toString', nodeId: 'a', request: {} }],
  ['startWork', { name: 'writeSample', nodeId: 'a', request: {} }],
  ['startWork', { name: 'planScavenge', request: {} }],
  ['setTheme', { theme: 'pink' }],
  ['changeNode', { id: 'a', name: '   ' }],
  ['changeNode', { id: 'a', dataDirectory: '/etc' }],
  ['openDirectory', { path: '/etc' }]
] as const)('the verb %s refuses %j', (verb, request) => {
  expect(verbRequests[verb].safeParse(request).success).toBe(false);
});
