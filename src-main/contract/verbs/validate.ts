/**
 * What a request of each verb must be, and what of it goes to the engine. The page is not trusted: no handler sees a
 * value that did not pass here (verbs/answer-verb.ts), and what is meant for the engine passes the engine's door.
 */
import { z } from 'zod';
import { requests, type RequestOf } from '../operations/operation-contract.ts';
import { applicationVerbRequests } from './application-validate.ts';
import { clusterVerbRequests } from './cluster-validate.ts';
import { FOLDER_PURPOSES } from './folder-contract.ts';
import { pathVerbRequests, storeRequest } from './path-validate.ts';
import { CALL_NAMES, WORK_NAMES, type CallName, type WorkName } from './operation-names.ts';
import type { VerbName } from './workbench-contract.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(100);

/** Members for the engine, which validates them at its own door. */
const operationRequest = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((request) => request ?? {});

export const verbRequests = {
  ...clusterVerbRequests,
  ...applicationVerbRequests,
  ...pathVerbRequests,
  start: nothing,
  call: z.strictObject({
    name: z.enum(CALL_NAMES),
    nodeId: id.optional(),
    request: operationRequest,
    callId: id.exactOptional()
  }),
  lookUpIndex: z.strictObject({ nodeId: id, stream: z.string().min(1).max(100_000) }),
  nodeStanding: z.strictObject({ nodeId: id }),
  startWork: z.strictObject({
    name: z.enum(WORK_NAMES),
    nodeId: id.nullable(),
    request: operationRequest,
    planId: z.string().min(1).max(200).exactOptional()
  }),
  listFolder: z.strictObject({
    path: z.string().max(32_768).nullable(),
    showsHidden: z.boolean(),
    extensions: z.array(z.string().regex(/^[a-z0-9]{1,20}$/)).max(20),
    purpose: z.enum(FOLDER_PURPOSES).exactOptional()
  }),
  createSample: nothing,
  stopWork: z.strictObject({ id }),
  forgetWork: z.strictObject({ id }),
  workResult: z.strictObject({ id }),
  openDirectory: nothing,
  openConfiguration: nothing,
  // As the preload script sends it: the page has no influence on it.
  openDropped: z.strictObject({ path: z.string().max(32_768) }),
  chooseBackupTarget: z.strictObject({ nodeId: id }),
  forgetBackupTarget: z.strictObject({ nodeId: id }),
  recallBackupTarget: z.strictObject({ nodeId: id }),
  nameBackupStore: z.strictObject({
    nodeId: id,
    ...storeRequest
  }),
  changeNode: z.strictObject({
    id,
    name: z.string().trim().min(1).max(100).exactOptional(),
    isSingleNode: z.boolean().exactOptional()
  }),
  forgetNode: z.strictObject({ id }),
  recallNode: z.strictObject({ id }),
  showInFolder: z.strictObject({ nodeId: id }),
  watchNode: z.strictObject({ id: id.nullable() }),
  setTheme: z.strictObject({ theme: z.enum(['system', 'light', 'dark']) }),
  restartEngine: nothing,
  saveErasure: z.strictObject({ id, form: z.enum(['html', 'json']) }),
  // A proposal for the dialog: no separators, so that it names no directory.
  openSavedFile: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(120)
      .regex(/^[^/\\\p{Cc}]+$/u),
    form: z.enum(['csv', 'json'])
  }),
  writeSavedFile: z.strictObject({ id, text: z.string().max(8 * 1024 * 1024) }),
  endSavedFile: z.strictObject({ id, isComplete: z.boolean() }),
  copyText: z.strictObject({ text: z.string().max(4 * 1024 * 1024) })
} satisfies Record<VerbName, z.ZodType>;

/** A validated request of a verb. */
export type CheckedVerb<V extends VerbName> = z.output<(typeof verbRequests)[V]>;

const stopCall = z.strictObject({ callId: id });

/** Validates the message that stops a question. */
export function checkedStopCall(request: unknown): z.output<typeof stopCall> {
  return stopCall.parse(request);
}

/**
 * Joins the window's request with what the main process knows (directories, the node's kind, its backup target).
 * The window's own members of those names are overwritten or, if the main process has no value for them, discarded.
 * For operations that write outside the database or replace it, only the members named here are accepted.
 */
export function joinedRequest<N extends CallName | WorkName>(
  name: N,
  fromWindow: Record<string, unknown>,
  filledIn: Record<string, unknown>
): RequestOf<N> {
  return { ...takenFromWindow(name, fromWindow), ...filledIn } as RequestOf<N>;
}

/**
 * The part of a request that the window decides; the rest is discarded. What is kept of work, and sent to every
 * page, is the request it was started with.
 */
export function takenFromWindow(
  name: CallName | WorkName,
  asked: Record<string, unknown>
): Record<string, unknown> {
  const allowed = FROM_WINDOW[name] ?? [...Object.keys(requests[name].shape), 'scratchPlace'];
  return Object.fromEntries(
    Object.entries(asked).filter(([member]) => allowed.includes(member) && !FILLED_IN.includes(member))
  );
}

/** Filled in by the main process from what a person chose (verbs/node-work.ts). */
const backupOptions = [
  'mode',
  'threads',
  'bytesPerSecond',
  'moved',
  'compress',
  'stopScavenge',
  'nodeUrl',
  'nodeUser',
  'passwordId',
  'authorityPlace'
];
const source = ['fromNode', 'fromPlace', 'keyPlace', 'passwordId'];
const restoreOptions = ['id', 'applyTruncation', 'assumeStopped', ...source, 'toPlace', 'indexPlace'];

/** Of what is extracted or exported; perhaps from a backup instead of the node. */
const extracted = ['check', 'usesBackups', 'backupId', 'fromPlace', 'keyPlace', 'passwordId'];
const backupErasure = ['id', 'erase', 'removeOld', 'scratchPlace', 'keyPlace', 'passwordId'];

const FROM_WINDOW: Partial<Record<CallName | WorkName, string[]>> = {
  listBackups: ['fromPlace'],
  reportErasure: ['streams', 'categories', 'eventIds', 'recheck'],
  examineStart: ['serverVersion', 'thorough', 'unasked'],
  surveyUsage: ['now'],
  compareThresholds: ['thresholds'],
  priceProjections: ['now', 'top'],
  forecastGrowth: ['now', 'top', 'days', 'onlyKnown'],
  exportUsage: ['now', 'by', 'format'],
  usageWithin: ['now', 'category', 'stream', 'by', 'top'],
  readUsage: ['now', 'top', 'whatIf'],
  usageOfStreams: ['streams', 'categories', 'onlyKnown'],
  explain: ['stream', 'eventNumber', 'position', 'chunk'],
  explainRecords: ['positions', 'onlyKnown'],
  compareChunk: ['chunk', 'with', 'file'],
  compareDatabases: ['readAll', 'otherNodes', 'usesBackups', 'fromPlace', 'keyPlace', 'passwordId'],
  planCluster: ['window', 'otherNodes'],
  planBackup: backupOptions,
  createBackup: backupOptions,
  verifyBackup: ['id', 'quick', ...source],
  rehearseBackup: ['id', 'scratchPlace', ...source],
  pruneBackups: ['retention', 'unfinished', 'dryRun'],
  planBackupErasure: backupErasure,
  eraseInBackup: backupErasure,
  rekeyBackups: ['newKeysPlace', 'dryRun', 'keyPlace', 'passwordId'],
  planRestore: restoreOptions,
  runRestore: restoreOptions,
  continueRestore: ['assumeStopped', 'toPlace', ...source],
  undoRestore: ['assumeStopped', 'toPlace'],
  cutLog: ['assumeStopped', 'toPlace', 'indexPlace', 'dryRun', 'maxTruncationBytes'],
  repairDatabase: [
    'dryRun',
    'only',
    'acceptLoss',
    'usesBackups',
    'backupId',
    'fromPlace',
    'keyPlace',
    'passwordId',
    'assumeStopped'
  ],
  planUndoScavenge: ['to'],
  undoScavenge: ['to', 'assumeStopped'],
  forgetReplaced: ['to', 'assumeStopped', 'dryRun'],
  planRedaction: ['eventIds'],
  redactEvents: ['eventIds', 'assumeStopped'],
  extractEvents: [
    'streams',
    'categories',
    'types',
    'fromTime',
    'toTime',
    'fromPosition',
    'toPosition',
    'systemStreams',
    'format',
    'outputPlace',
    ...extracted
  ],
  exportDatabase: ['streams', 'categories', 'startAfresh', 'dryRun', 'outputPlace', ...extracted],
  runBundle: [
    'headersOnly',
    'packs',
    'listsNames',
    'bundleKeyPlace',
    'usesConfiguration',
    'configurationPlace',
    'outputPlace'
  ],
  planIndexRebuild: [],
  rebuildIndex: ['assumeStopped'],
  forecastStartup: ['serverVersion', 'applyTruncation', 'mergeTables', 'unasked'],
  prepareStartup: ['serverVersion', 'applyTruncation', 'mergeTables', 'assumeStopped']
};

const FILLED_IN = ['dataDirectory', 'indexDirectory', 'winnowHome', 'scratchDirectory', 'singleNode', 'plan'];
