/**
 * The words of a scavenge, each list once and in its order: types, schemas, options and texts everywhere else derive
 * from these. Plain values, so that the page can take them too.
 */

/** In the order in which they run. `beginning` finds the point and stores no checkpoint of its own. */
export const SCAVENGE_PHASES = [
  'beginning',
  'accumulation',
  'calculation',
  'chunkExecution',
  'chunkMerging',
  'indexExecution',
  'cleaning'
] as const;
export type ScavengePhase = (typeof SCAVENGE_PHASES)[number];
/** A phase with a checkpoint of its own. */
export type WorkingPhase = Exclude<ScavengePhase, 'beginning'>;

/** Stages whose checkpoint says that the scavenge still decides what can go. */
const DECIDING_STAGES = ['accumulating', 'calculating'] as const;
/** Stages in which files are replaced. */
const REPLACING_STAGES = ['executingChunks', 'mergingChunks', 'executingIndex'] as const;
/** What a checkpoint can name, in order. */
export const CHECKPOINT_STAGES = [...DECIDING_STAGES, ...REPLACING_STAGES, 'cleaning', 'done'] as const;
export type CheckpointStage = (typeof CHECKPOINT_STAGES)[number];

export const STAGE_OF_PHASE = {
  accumulation: 'accumulating',
  calculation: 'calculating',
  chunkExecution: 'executingChunks',
  chunkMerging: 'mergingChunks',
  indexExecution: 'executingIndex',
  cleaning: 'cleaning'
} as const satisfies Record<WorkingPhase, CheckpointStage>;

/** It still decides; nothing of the log has been replaced. */
export function isDecidingStage(stage: CheckpointStage): stage is (typeof DECIDING_STAGES)[number] {
  return (DECIDING_STAGES as readonly CheckpointStage[]).includes(stage);
}

/** Its phase replaces files. */
export function isReplacingStage(stage: CheckpointStage): stage is (typeof REPLACING_STAGES)[number] {
  return (REPLACING_STAGES as readonly CheckpointStage[]).includes(stage);
}

/** Where the scavenge point of a run came from. */
export const CHOSEN_PLACEMENTS = ['existing', 'detached', 'new'] as const;
export type ChosenPlacement = (typeof CHOSEN_PLACEMENTS)[number];

/** What can be asked for. */
export const POINT_PLACEMENTS = ['auto', ...CHOSEN_PLACEMENTS] as const;
export type PointPlacement = (typeof POINT_PLACEMENTS)[number];

/** Where no new point may be written: a rescue, a member in a cycle. */
export const PLACEMENTS_WITHOUT_WRITE = ['existing', 'detached'] as const satisfies ChosenPlacement[];
export type PlacementWithoutWrite = (typeof PLACEMENTS_WITHOUT_WRITE)[number];

/** What a scavenge decides about a physical chunk. */
export const CHUNK_DECISIONS = ['rewritten', 'emptied', 'skipped', 'keptLarger', 'merged'] as const;
export type ChunkDecision = (typeof CHUNK_DECISIONS)[number];

/** How a run that began can end. */
export const SCAVENGE_RESULTS = ['success', 'stopped', 'errored'] as const;
export type ScavengeResult = (typeof SCAVENGE_RESULTS)[number];

/** The server's words for them, in its events and over HTTP. */
export const SERVER_RESULTS = {
  success: 'Success',
  stopped: 'Stopped',
  errored: 'Errored'
} as const satisfies Record<ScavengeResult, string>;
export type ServerResult = (typeof SERVER_RESULTS)[ScavengeResult];

/** undefined: no word of the server's for a result. */
export function scavengeResultOf(serverResult: unknown): ScavengeResult | undefined {
  return SCAVENGE_RESULTS.find((result) => SERVER_RESULTS[result] === serverResult);
}

/** What a scavenge that starts now would do. */
export const NEXT_SCAVENGE_KINDS = ['resume', 'existing', 'new', 'detached', 'nothing', 'refused'] as const;
export type NextScavengeKind = (typeof NEXT_SCAVENGE_KINDS)[number];

/** Stations of a member in a cycle of the cluster. */
export const CYCLE_STEPS = ['waiting', 'designated', 'running', ...SCAVENGE_RESULTS] as const;
export type CycleStep = (typeof CYCLE_STEPS)[number];

/** Stations of a cluster's schedule, in the server's words. */
export const SCHEDULE_STATES = ['NotConfigured', 'Waiting', 'InProgress', 'Pausing', 'Paused'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** What a rule says of a record. */
export const RECORD_VERDICTS = ['keep', 'discard'] as const;
export type RecordVerdict = (typeof RECORD_VERDICTS)[number];
/** What is said of an event. */
export const EXPLAIN_VERDICTS = [...RECORD_VERDICTS, 'alreadyGone'] as const;
export type ExplainVerdict = (typeof EXPLAIN_VERDICTS)[number];
/** What is said of a chunk. */
export const CHUNK_VERDICTS = ['rewrite', 'skip'] as const;
export type ChunkVerdict = (typeof CHUNK_VERDICTS)[number];

/** What decides about a record, or keeps it whatever was decided. */
export const EXPLAIN_RULES = [
  'maxAge',
  'maxCount',
  'truncateBefore',
  'hardDelete',
  'softDelete',
  'lastEvent',
  'metadataSuperseded',
  'noRule',
  'activeChunk',
  'afterScavengePoint',
  'belowThreshold',
  'keptLarger',
  'uncommittedTransaction',
  'tombstone'
] as const;
export type ExplainRule = (typeof EXPLAIN_RULES)[number];

/** Those of them that discard, in the order in which the decision asks. */
export const REMOVAL_RULES = [
  'hardDelete',
  'metadataSuperseded',
  'softDelete',
  'truncateBefore',
  'maxCount',
  'maxAge'
] as const satisfies ExplainRule[];
export type RemovalRule = (typeof REMOVAL_RULES)[number];

/** What one rule says of an event; `passes`: it leaves it to the next one. */
export const RULE_SAYS = ['keeps', 'discards', 'passes'] as const;
export type RuleSays = (typeof RULE_SAYS)[number];
