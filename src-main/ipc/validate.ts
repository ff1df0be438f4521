/**
 * The check of every request that comes from the window. The page is not trusted: nothing behind the gate sees
 * a value that did not pass here, and requests to the engine pass the engine's own table as well.
 */
import { z } from 'zod';
import { requests } from '../operations/operation-contract.ts';
import type { CallName, VerbName, WorkName } from './contract.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(100);

export const CALL_NAMES = [
  'inspectDatabase',
  'listChunks',
  'inspectIndex',
  'listHistory',
  'describeSchedule',
  'readChunkPage',
  'describeChunk',
  'describeRecord',
  'readStreamsPage',
  'readEventsPage'
] as const satisfies CallName[];

export const verbRequests = {
  start: nothing,
  call: z.strictObject({ name: z.enum(CALL_NAMES), nodeId: id.optional(), request: z.unknown() }),
  lookUpIndex: z.strictObject({ nodeId: id, stream: z.string().min(1).max(100_000) }),
  startWork: z.strictObject({
    name: z.enum(['verifyDatabase', 'planScavenge', 'runScavenge']),
    nodeId: id,
    request: z.unknown(),
    planId: id.exactOptional()
  }),
  createSample: nothing,
  stopWork: z.strictObject({ id }),
  forgetWork: z.strictObject({ id }),
  workResult: z.strictObject({ id }),
  openDirectory: nothing,
  openConfiguration: nothing,
  changeNode: z.strictObject({
    id,
    name: z.string().trim().min(1).max(100).exactOptional(),
    isSingleNode: z.boolean().exactOptional()
  }),
  forgetNode: z.strictObject({ id }),
  watchNode: z.strictObject({ id: id.nullable() }),
  setTheme: z.strictObject({ theme: z.enum(['system', 'light', 'dark']) }),
  restartEngine: nothing,
  copyText: z.strictObject({ text: z.string().max(4 * 1024 * 1024) })
} satisfies Record<VerbName, z.ZodType>;

/** A verb's request after the check. */
export type CheckedVerb<V extends VerbName> = z.output<(typeof verbRequests)[V]>;

const plainObject = z.record(z.string(), z.unknown());

/**
 * Joins what the window asks with what the main process knows (directories, the node's nature). The window's
 * own members of those names are overwritten or, where the main process has no value for them, dropped.
 */
export function engineRequest(
  name: CallName | WorkName,
  fromWindow: unknown,
  filledIn: Record<string, unknown>
): unknown {
  const asked = plainObject.parse(fromWindow ?? {});
  for (const member of FILLED_IN) delete asked[member];
  return requests[name].parse({ ...asked, ...filledIn });
}

const FILLED_IN = [
  'dataDirectory',
  'indexDirectory',
  'winnowHome',
  'scratchDirectory',
  'clusterSize',
  'singleNode'
];
