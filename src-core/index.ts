/**
 * The engine's only entry: code outside src-core imports from here. Names are added as they are needed.
 */
export {
  EngineError,
  OperationStopped,
  invalidRequest,
  isFileGone,
  osCodeOf,
  requireFault,
  requireFaultBut,
  type ErrorCode,
  type ErrorDetails
} from './errors.ts';
export { openDatabase, Database, type DatabasePlace } from './database/database.ts';
export { readEpochs, type Epoch } from './database/epochs.ts';
export { EventAppender, SCAVENGE_POINTS_STREAM, type NewEvent } from './database/event-appender.ts';
export { OperationControl, uncontrolled, type ProgressSnapshot } from './database/operation-control.ts';
export { ByteRate, rateSetup, type RateSetup } from './storage/byte-rate.ts';
export { RatedFileSystem } from './storage/rated-file-system.ts';
export { makeDirectories } from './storage/node-directories.ts';
export { NodeFileSystem } from './storage/node-file-system.ts';
export {
  openRegularFile,
  readRegularFile,
  requireRegularDatabase,
  requireRegularFile
} from './storage/node-regular-file.ts';
export { appendLine, readLines } from './storage/append-line.ts';
export { createFile, requireNothingAt } from './storage/create-file.ts';
export { replaceFile } from './storage/replace-file.ts';
export { isWithoutLocks, readWholeFile, type FileSystem, type LockHolder } from './storage/file-system.ts';
export { requireUnchanged } from './storage/unchanged-file.ts';
export { entriesIn, namesIn } from './storage/directory-entries.ts';
export { sizeOf, sizeOfAll } from './storage/file-size.ts';
export { counted } from './units/counted.ts';
export {
  isNameForEverySystem,
  ownFacts,
  pipeAddress,
  platformFacts,
  type PlatformFacts
} from './storage/platform-facts.ts';
export { isBetweenDatabases, refuseUnfinishedRestore, RESTORE_MARKER } from './storage/restore-marker.ts';
export { RESTORE_LOCK } from './restore/restore-journal.ts';
export { Chunk, type ChunkParts } from './chunks/chunk.ts';
export { readChunkChecksum, type ChunkChecksum } from './chunks/chunk-checksum.ts';
export {
  CHUNK_HEADER_LENGTH,
  NEWEST_CHUNK_VERSION,
  decodeChunkHeader,
  transformName,
  type ChunkHeader
} from './chunks/chunk-header.ts';
export { CHUNK_FOOTER_LENGTH, decodeChunkFooter, type ChunkFooter } from './chunks/chunk-footer.ts';
export { ChunkReader, ChunkCursor } from './chunks/chunk-reader.ts';
export { readCheckpoints, CHECKPOINT_NAMES, type Checkpoints } from './log/checkpoint-file.ts';
export type { ChunkSet, FileOnDisk } from './log/chunk-set.ts';
export { KeptChunkSets } from './log/kept-chunk-sets.ts';
export type { LogGap } from './log/log-gaps.ts';
export type { LogProblem } from './log/log-problem.ts';
export { LogReader, LogCursor } from './log/log-reader.ts';
export { CommittedNumbers, memberOf } from './log/committed-numbers.ts';
export { LogWriter } from './log/log-writer.ts';
export { LogRecord, PrepareFlag, FRAME_LENGTH } from './records/log-record.ts';
export { parseStreamMetadata, EMPTY_METADATA, type StreamMetadata } from './records/stream-metadata.ts';
export type { BloomFilter } from './index/bloom-filter.ts';
export { HashSieve } from './index/hash-sieve.ts';
export type { AskedStreams } from './index/log-entries.ts';
export { systemStreams } from './index/system-streams.ts';
export { hashFromBigInt, hashFromText, hashStream, hashText, type StreamHash } from './index/stream-hash.ts';
export {
  isReadFault,
  openIndexDirectory,
  openStreamIndex,
  openStreamIndexAtOnce,
  StreamIndex
} from './index/stream-index.ts';
export { NEWEST_TABLE_VERSION, OLDEST_TABLE_VERSION } from './index/index-table.ts';
export { MANIFEST_VERSION } from './backup/manifest.ts';
export { EntryBlock } from './index/index-entry.ts';
export { IndexDirectory, type KnownFits } from './index/index-directory.ts';
export type { IndexFit } from './index/index-fit.ts';
export { readRecentEntries } from './index/read-recent-entries.ts';
export type { RecentEntries } from './index/recent-entries.ts';
export {
  readStreamBackward,
  readStreamEvent,
  readStreamForward,
  type StreamPage
} from './index/read-stream.ts';
export { decodeScavengeCheckpoint } from './scavenge/state/scavenge-checkpoint.ts';
export { isScavengePointRecord, readablePointOf, scavengePointOf } from './scavenge/points/scavenge-point.ts';
export { newestPointBefore } from './scavenge/points/find-scavenge-point.ts';
export { latestFor } from './scavenge/points/choose-point.ts';
export { requireCompletedBefore } from './scavenge/points/open-chunk.ts';
export { TableScan } from './index/table-scan.ts';
export type { IndexTableReader } from './index/index-table-reader.ts';
export { requireDataDirectory } from './storage/data-directory.ts';
export { databaseInUse, lockDirectory } from './storage/directory-lock.ts';
export { lookBeforeLock } from './storage/look-before-lock.ts';
export {
  DELETED_STREAM_EVENT_NUMBER,
  INT64_MAX,
  eventNumberToBigInt,
  eventNumberToJson,
  expectedVersionToJson
} from './units/event-number.ts';
export * from './units/difference-terms.ts';
export * from './units/scavenge-terms.ts';
export { visibleJson, visibleText } from './units/visible-text.ts';
export { ticksFromIso, ticksFromMs, ticksToIso, ticksToMs, TICKS_PER_SECOND } from './units/ticks.ts';
export { readBundleKey, writeBundleKey } from './bundle/bundle-key.ts';
export { planBundle } from './bundle/bundle-plan.ts';
export { NAME_KEY_LENGTH, NameMap } from './bundle/name-map.ts';
export { partialPathOf, requireFreeTarget } from './bundle/bundle-target.ts';
export { BUNDLE_MANIFEST, type UnpackedManifest } from './bundle/bundle-manifest.ts';
export { runBundle } from './bundle/run-bundle.ts';
export { ARCHIVE_BLOCK, encodeArchiveHead, fitsArchiveHead } from './bundle/archive/archive-head.ts';
export { ARCHIVE_FOLDER } from './bundle/archive/archive-name.ts';
export { unpackBundle } from './bundle/archive/unpack-bundle.ts';
export { writeSampleDatabase, type WriteSample, type WrittenSample } from './sample/write-sample-database.ts';
export { findingOfProblem, isIndexFault, type Finding } from './verify/finding.ts';
export { doubtfulRecords } from './verify/doubtful-records.ts';
export { ChunkDigest, columnsOf, DigestKind, type DigestImage } from './digest/chunk-digest.ts';
export { decodeColumns, encodeColumns } from './codec/column-file.ts';
export { longerColumn } from './codec/longer-column.ts';
export { columnArray, narrowColumn, type NarrowColumn, type NarrowValues } from './codec/narrow-columns.ts';
export { ChunkDigests, KEPT_STREAMS } from './digest/chunk-digests.ts';
export { derivedFileName } from './digest/digest-identity.ts';
export { DerivedFiles } from './storage/derived-files.ts';
export { ScratchBlocks } from './storage/scratch-blocks.ts';
export type { DigestWorkers, StartDigestWorkers } from './digest/digest-workers.ts';
export { DigestRecords } from './digest/digest-records.ts';
export type { RecordLog } from './index/record-source.ts';
export { NameOrdinals } from './digest/name-ordinals.ts';
export { PreparedHeads } from './digest/prepared-heads.ts';
export { chunksInRange } from './digest/recent-from-digests.ts';
export { DigestStore } from './digest/digest-store.ts';
export { readDigests, type DigestOrder, type SettledDigest } from './digest/read-digest.ts';
export { coverageOf, isCovered, type Coverage } from './proof/coverage.ts';
export { ProofBook } from './proof/proof-book.ts';
export { ProofNotes } from './proof/proof-notes.ts';
export { provableChunk } from './proof/provable-file.ts';
export { openIndexAsItIs, provableTables } from './verify/verify-index-files.ts';
export { verifyInTurns, type VerifiedInTurns } from './verify/verify-in-turns.ts';
export { verifyDatabase, type Verification } from './verify/verify-database.ts';
export { verifyCheckpoints } from './verify/verify-checkpoints.ts';
export { verifyChunks, type ChunkOrder, type ChunkVerified } from './verify/verify-chunk.ts';
export type { SettledChunk, StartVerifyWorkers, VerifyWorkers } from './verify/verify-workers.ts';
export { nextOccurrence, nextTimes, parseCron, type CronSchedule } from './auto-scavenge/cron-schedule.ts';
export { planScavenge, runScavenge } from './scavenge/run-scavenge.ts';
export { planRescue, runRescue } from './scavenge/rescue/rescue-database.ts';
export type { RescueLimits } from './scavenge/rescue/rescue-budget.ts';
export { checkRequest as checkScavengeRequest } from './scavenge/scavenge-request.ts';
export { explain } from './insight/explain/explain.ts';
export { databaseSide } from './insight/difference/database-side.ts';
export type {
  Difference,
  DifferenceRange,
  LogDifference,
  OnlyHere
} from './insight/difference/difference.ts';
export type { DifferenceSide, OpenedChunk, SideChunk } from './insight/difference/difference-side.ts';
export { RemovalJudge, type RemovalPoint } from './insight/difference/removal-judge.ts';
export { pointAtEnd, removalPointBefore } from './insight/difference/removal-points.ts';
export { compareLogs } from './insight/difference/run-difference.ts';
export { explainRecords } from './insight/explain/explain-records.ts';
export type {
  ExplainAnswer,
  ExplainedLimits,
  ExplainedStream,
  ExplainQuestion,
  Explanation
} from './insight/explain/explanation.ts';
export { breakDownRemoval } from './insight/removal/break-down-removal.ts';
export { RemovalTally } from './insight/removal/removal-tally.ts';
export type { Removal } from './insight/removal/removal.ts';
export { eventNumberFromBigInt } from './units/event-number.ts';
export type { KeptProgress, ProgressStore } from './scavenge/run-progress.ts';
export type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest,
  PausedRun,
  ScavengeRunStart
} from './scavenge/scavenge-request.ts';
export {
  completedEvent,
  runStreamOf,
  startedEvent,
  winnowNodeOf
} from './scavenge/history/history-events.ts';
export { eventOfRow, maxChunkScavengedOf, type OutcomeRow } from './scavenge/history/row-events.ts';
export { timeTakenFromMs } from './scavenge/history/time-taken.ts';
export { readLogHistory, type LoggedRun } from './scavenge/history/read-log-history.ts';
export {
  DEFAULT_HISTORY_MAX_AGE_DAYS,
  SCAVENGES_STREAM,
  isWinnowNode
} from './scavenge/history/history-events.ts';
export { encodeCommit, encodePrepare } from './records/encode-record.ts';
export { usableMemoryBytes } from './storage/node-disk.ts';
export { FreedMemory } from './storage/node-memory.ts';
export { ChunkWriter } from './chunks/chunk-writer.ts';
export type { UnsealedChunk } from './chunks/unsealed-chunk.ts';
export { hashWhileWritten, WrittenProgress, type WrittenHash } from './chunks/written-hash.ts';
export { decodeChunkFileName, encodeChunkFileName } from './chunks/chunk-file-name.ts';
export { writeCheckpointFile } from './log/checkpoint-file.ts';
export type { StreamHasher } from './index/stream-hash.ts';
export { IndexTableWriter } from './index/index-table-writer.ts';
export { emptyIndexMap, writeIndexMap, type IndexMap } from './index/index-map.ts';
export { encodeScavengeCheckpoint, type ScavengeCheckpoint } from './scavenge/state/scavenge-checkpoint.ts';
export type { ScavengePoint } from './scavenge/points/scavenge-point.ts';
export type { ScavengeTrace, TraceEntry } from './scavenge/scavenge-trace.ts';
export { StreamCollisions } from './scavenge/decisions/stream-collisions.ts';
export { signedHash, type StreamHandle } from './scavenge/decisions/stream-handle.ts';
export { TrailingCheckpoint, type TrailingItem } from './scavenge/state/trailing-checkpoint.ts';
export * as discardPoints from './scavenge/decisions/discard-point.ts';
export { listActive } from './scavenge/state/list-active.ts';
export { MemoryState } from './scavenge/state/memory/memory-state.ts';
export { ScavengeState } from './scavenge/state/scavenge-state.ts';
export { detachedStateDirectory } from './scavenge/state/run-state.ts';
export { STATE_DIRECTORY, STATE_FILE, StateStore } from './scavenge/state/state-store.ts';
export { StreamStatus, type OriginalStreamData } from './scavenge/state/stream-data.ts';
export {
  decideStart,
  foreseeStart,
  type NextScavenge,
  type StartDecision
} from './scavenge/points/start-decision.ts';
export { reachesThreshold } from './scavenge/decisions/chunk-weights.ts';
export type { WeightOf } from './verify/compare-index-with-log.ts';
export {
  mayHoldState,
  storedStatePath,
  verifyScavengeState,
  type StateProblem
} from './scavenge/state/verify-state.ts';
export { lookAtState, type StateReading } from './scavenge/state/read-state.ts';
export {
  RewriteWorker,
  type RewriteSetup,
  type RewriteWorkers,
  type StartRewriteWorkers
} from './scavenge/output/rewrite-workers.ts';
export type { PreparedRewrite, RewriteOrder } from './scavenge/output/prepare-rewrite.ts';
export { Coordinator, type CoordinatorOptions } from './auto-scavenge/coordinator.ts';
export type {
  CallAnswer,
  CoordinatorPorts,
  CoordinatorStore,
  NodeScavenger
} from './auto-scavenge/coordinator-ports.ts';
export type { NodeFault, NodeReply, NodeRequest } from './auto-scavenge/coordinator-rules.ts';
export {
  decodeCoordinatorEvent,
  encodeCoordinatorEvent,
  type CoordinatorEvent,
  type StoredEvent,
  decodeCycleOptions,
  type CycleOptions
} from './auto-scavenge/coordinator-event.ts';
export {
  findLeader,
  findMember,
  isSameMember,
  memberKey,
  type GossipMember,
  type MemberId
} from './auto-scavenge/cluster-view.ts';
export { decideEnablement, type EnableSettings, type Enablement } from './auto-scavenge/enable-rules.ts';
export { formatTimeSpan, parseTimeSpan } from './auto-scavenge/time-span.ts';
export {
  formatWallTime,
  instantOfWallTime,
  nextTicks,
  parseWallTime,
  wallTimeAt,
  type WallTime
} from './auto-scavenge/wall-time.ts';
export { TimeZone } from './auto-scavenge/local-time.ts';
export {
  decodeQuietHours,
  formatQuietHours,
  parseQuietHours,
  quietHoursOf,
  quietOutside,
  quietWindowAt,
  windowBetween,
  type QuietHours
} from './auto-scavenge/quiet-hours.ts';
export { applyTruncation } from './log/apply-truncation.ts';
export { planTruncation, requestedTruncation, type TruncationPlan } from './log/truncation.ts';
export { describeTruncation, effectOf } from './log/truncation-rule.ts';
export { SalvageLog } from './repair/salvage-log.ts';
export type { SkippedRange } from './repair/salvage-chunk.ts';
export {
  contentOf,
  readWholeObject,
  targetFailed,
  type BackupTarget,
  type ByteRange,
  type CopiedFile,
  type CopyCallbacks,
  type FileCopyOrder,
  type ObjectFacts
} from './backup/backup-target.ts';
export { copyFileInto, type CopyJob, type FileLinks } from './backup/copy-file.ts';
export { LocalBackupTarget, type FileCopier } from './backup/local-target.ts';
export {
  decodePlain,
  readBackupFile,
  type BackupEncodings,
  type DecodeFile,
  type FileEncoding
} from './backup/file-encoding.ts';
export {
  chooseBackup,
  isManifestSealed,
  readCatalogue,
  readManifest,
  type Catalogue
} from './backup/catalogue.ts';
export { readCheckResults, writeCheckResult, type CheckResults } from './backup/check-results.ts';
export { registerFaults } from './backup/backup-register.ts';
export { describeSignature } from './backup/manifest-signature.ts';
export type { BackupSigner, BackupTrust, BackupVerifier } from './backup/backup-trust.ts';
export { isBackupId } from './backup/backup-layout.ts';
export { clockWarnings } from './backup/backup-order.ts';
export {
  filesOfArea,
  plainBytes,
  type DetachedPoint,
  type Manifest,
  type ManifestFile
} from './backup/manifest.ts';
export { runBackup } from './backup/run-backup.ts';
export { planBackup, type BackupPlan } from './backup/plan-backup.ts';
export type { BackupEnvironment, BackupRequest } from './backup/backup-request.ts';
export { requireFitNode, type NodeFacts } from './backup/node-facts.ts';
export { verifyBackup, type BackupVerification } from './backup/verify-backup.ts';
export type { BackupFinding } from './backup/backup-finding.ts';
export {
  holdersOf,
  removeOldGeneration,
  replacedFiles,
  storeRewritten,
  unfinishedRewrite
} from './backup/store-rewritten.ts';
export { planRekey, runRekey, type Recoding, type RekeyPlan } from './backup/rekey-backups.ts';
export { planPrune, runPrune, type PrunePlan, type PruneRequest } from './backup/prune-backups.ts';
export { scavengeTrace } from './backup/source-watch.ts';
export {
  runRepair,
  type DoneAction,
  type RepairOutcome,
  type RepairVerification,
  type RunRepair
} from './repair/run-repair.ts';
export type { ChunkDonor, DonorChunk } from './repair/chunk-donor.ts';
export type { Loss } from './repair/loss.ts';
export type { Unrepaired } from './repair/repair-plan.ts';
export { backupSource, type RestoreSource } from './restore/restore-source.ts';
export { plainCopySource } from './restore/plain-copy-source.ts';
export {
  INDEX_MADE_AGAIN,
  planRestore,
  type RestorePlan,
  type RestoreWarning
} from './restore/restore-plan.ts';
export { unfinishedRestore } from './storage/restore-marker.ts';
export {
  continueRestore,
  runRestore,
  undoRestore,
  type RestoreEnvironment,
  type RestoreOutcome
} from './restore/run-restore.ts';
export { moveStateAside } from './scavenge/state/state-file.ts';
export { planIndexRebuild, rebuildIndex, type RebuildReport } from './repair/rebuild-index.ts';
export { openDirectoryDonor } from './repair/directory-donor.ts';
export { readUsage, type Usage } from './insight/usage/read-usage.ts';
export { sumUsage, type UsageBy, type UsageItem } from './insight/usage/usage-items.ts';
export { removableOfStreams } from './insight/usage/removable-of-streams.ts';
export { usageOfNames } from './insight/usage/usage-of-names.ts';
export { usageWithin, type UsagePart } from './insight/usage/usage-within.ts';
export { dashIn, NO_CATEGORY } from './insight/usage/usage-tables.ts';
export { newestEvents } from './insight/usage/newest-events.ts';
export { unfreeable } from './insight/usage/unfreeable.ts';
export { whatIf } from './insight/usage/what-if.ts';
export { readGrowth } from './insight/growth/read-growth.ts';
export { forecastDisk } from './insight/growth/disk-forecast.ts';
export { projectionPrices, type ProjectionPrices } from './insight/projections/projection-prices.ts';
export { compareThresholds, usageSavings } from './insight/usage/compare-thresholds.ts';
export { examineStart, type StartExamination } from './insight/doctor/examine-start.ts';
export { choosePace, paceOptions, speedAt, type PaceOption } from './scavenge/choose-pace.ts';
export {
  planMembers,
  type MemberNight,
  type Night,
  type NightPiece,
  type Speed
} from './scavenge/plan-nights.ts';
export type { DoneWork } from './scavenge/scavenge-result.ts';
export { forecastStartup } from './startup/forecast-startup.ts';
export { prepareStartup } from './startup/prepare-startup.ts';
export { startupWords } from './startup/startup-words.ts';
export { durationWords } from './units/duration-words.ts';
export { checkOfSight, checkOfStart, checkOfVerification } from './insight/health/health-check.ts';
export {
  healthOf,
  replacesCheck,
  type Health,
  type HealthCheck,
  type KeptCheck,
  type CheckValidity
} from './insight/health/node-health.ts';
export {
  formOfName as erasureFileForm,
  isKnownName as isKnownErasureName,
  listDatabaseFiles
} from './insight/erasure/database-files.ts';
export type { ErasureFile } from './insight/erasure/erasure-file.ts';
export { runErasure, type ErasureOutcome } from './insight/erasure/run-erasure.ts';
export { expireKept, forgetKept, forgettable, type ForgetOutcome } from './replaced/forget-kept.ts';
export { KEPT_DIRECTORY, KEPT_LOCK, listKept, readableKept, requireKept } from './replaced/kept-folders.ts';
export { keptUse, type KeptSummary, type KeptUse } from './replaced/kept-space.ts';
export { planRedaction, type FoundRecord, type RedactionPlan } from './redaction/plan-redaction.ts';
export type { RedactedChunk, WrittenChunk } from './redaction/redact-chunk.ts';
export { REFUSALS as REDACTION_REFUSALS, runRedaction } from './redaction/run-redaction.ts';
export { planUndo, type UndoPlan } from './replaced/plan-undo.ts';
export { readUndoJournal } from './replaced/undo-journal.ts';
export { undoScavenge, type UndoOutcome } from './replaced/run-undo.ts';
export { isUndoUnfinished, UNDO_MARKER } from './storage/undo-marker.ts';
export { databaseSource, sideSource, type RecordSource } from './extraction/record-walk.ts';
export { EventMatcher, type EventSelection } from './extraction/event-selection.ts';
export { ExtractedLog } from './extraction/extracted-log.ts';
export { EventWalk } from './extraction/event-walk.ts';
export { NameCounts, type NameCount, type NameCountsState } from './extraction/name-counts.ts';
export { buildIndex } from './index/rebuild/build-index.ts';
