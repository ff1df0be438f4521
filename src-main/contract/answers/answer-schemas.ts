/**
 * The answers of the node service as JSON, by the names that its OpenAPI description gives them. Where the server has the
 * same route, they are the server's shapes.
 */
import { z } from 'zod';
import { SCHEDULE_STATES } from '../../../src-core/index.ts';
import { backupScheduleReport } from '../operations/backup-reports.ts';
import { logCoverageReport } from '../operations/coverage-reports.ts';
import { differenceReport } from '../operations/difference-reports.ts';
import { startupReport } from '../operations/doctor-reports.ts';
import { fleetReport } from '../operations/fleet-reports.ts';
import { forecastDocument, projectionsReport } from '../operations/usage-reports.ts';
import { progress, REPORT_SCHEMAS } from '../operations/reports.ts';

/** In the words of the server's scavenges; `Unknown`: none since the service started. */
export const RUN_RESULTS = ['Unknown', 'InProgress', 'Success', 'Stopped', 'Errored'] as const;
export type RunResult = (typeof RUN_RESULTS)[number];

const count = z.number().int();
/** A GUID, or an empty string where there is none. */
const id = z.string();
const link = z.string();

const runFacts = { runId: id, runLink: link, runResult: z.enum(RUN_RESULTS) };
const failure = z.union([REPORT_SCHEMAS.error.shape.error, z.object({ code: z.string() })]).nullable();

const feedLink = z.object({ uri: z.string(), relation: z.string(), type: z.string().nullable() });

const quietHours = z.object({
  /** Times of the day, such as `08:00`. */
  from: z.string(),
  to: z.string(),
  /** From 0, Sunday, to 6. */
  days: z.array(count)
});

const retention = z.object({
  last: count.optional(),
  daily: count.optional(),
  weekly: count.optional(),
  monthly: count.optional()
});

const member = z.object({
  instanceId: z.string(),
  timeStamp: z.string(),
  state: z.string(),
  isAlive: z.boolean(),
  httpEndPointIp: z.string(),
  httpEndPointPort: count,
  /** Positions in the log; -1: not known. */
  writerCheckpoint: count,
  chaserCheckpoint: count,
  epochPosition: count,
  epochNumber: count,
  epochId: z.string()
});

export const SERVICE_SCHEMAS = {
  Info: z.object({
    winnowVersion: z.string(),
    state: z.string(),
    features: z.record(z.string(), z.boolean()),
    authentication: z.object({ type: z.string(), properties: z.array(z.unknown()) })
  }),
  Ping: z.object({ text: z.string() }),
  Gossip: z.object({ members: z.array(member), serverIp: z.string(), serverPort: count }),
  /** By the server's names, one level for each part; a part of it where the path names one. */
  Statistics: z.unknown(),
  Settings: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      value: z.string(),
      configurationSource: z.string(),
      deprecationMessage: z.string().nullable(),
      schema: z.object({ type: z.string(), 'x-unit': z.string().optional() })
    })
  ),
  CurrentScavenge: z.object({ scavengeId: id, scavengeLink: link }),
  LastScavenge: z.object({ scavengeId: id, scavengeLink: link, scavengeResult: z.enum(RUN_RESULTS) }),
  CurrentRun: z.object({ runId: id, runLink: link }),
  LastVerification: z.object({
    ...runFacts,
    report: REPORT_SCHEMAS.verify.nullable(),
    error: failure
  }),
  LastRescue: z.object({ ...runFacts, report: REPORT_SCHEMAS.rescue.nullable(), error: failure }),
  LastRebuild: z.object({ ...runFacts, report: REPORT_SCHEMAS['index-rebuild'].nullable(), error: failure }),
  LastComparison: z.object({ ...runFacts, report: differenceReport.nullable(), error: failure }),
  LastPlan: z.object({ ...runFacts, report: REPORT_SCHEMAS.plan.nullable(), error: failure }),
  LastPrice: z.object({ ...runFacts, report: projectionsReport.nullable(), error: failure }),
  LastStartup: z.object({ ...runFacts, report: startupReport.nullable(), error: failure }),
  LastFleet: z.object({ ...runFacts, report: fleetReport.nullable(), error: failure }),
  Forecast: forecastDocument,
  /** null: not known. */
  Coverage: logCoverageReport.nullable(),
  StoppedRun: z.string(),
  Hold: z.object({ scavengeId: id, expiresInSeconds: count }),
  /** The data of an event `progress` of /scavenges/current/events. */
  ScavengeProgress: progress.extend({ scavengeId: id }),
  Feed: z.object({
    title: z.string(),
    id: z.string(),
    updated: z.string(),
    streamId: z.string(),
    author: z.object({ name: z.string() }),
    headOfStream: z.boolean(),
    selfUrl: z.string(),
    links: z.array(feedLink),
    entries: z.array(
      z.object({
        title: z.string(),
        id: z.string(),
        updated: z.string(),
        /** This and the number only with `embed=body` or `embed=rich`; the data only with `embed=body`. */
        eventType: z.string().optional(),
        eventNumber: count.optional(),
        data: z.string().optional(),
        links: z.array(feedLink)
      })
    )
  }),
  StreamMetadata: z.record(z.string(), z.unknown()),
  /** The data of an event, or with `Accept: application/vnd.eventstore.atom+json` its entry of the feed. */
  Event: z.record(z.string(), z.unknown()),
  Enabled: z.object({ enabled: z.boolean() }),
  AutoScavengeStatus: z.object({
    state: z.enum(SCHEDULE_STATES),
    schedule: z.string().nullable(),
    /** As the server writes a length of time: `23:37:17.8610000`, with days in front where there are any. */
    timeUntilNextCycle: z.string().nullable(),
    configuredSchedule: z.string().optional(),
    timeZone: z.string().optional(),
    skipped: z.string().optional(),
    quietHours: quietHours.extend({ isNow: z.boolean() }).optional(),
    pausedBy: z.enum(['person', 'quietHours']).nullable().optional(),
    /** Why the next cycle will not begin: the licence has ended, for example. */
    refusal: z.string().optional()
  }),
  Done: z.object({}),
  SkippedCycle: z.object({ skipped: z.string() }),
  StartedCycle: z.object({ clusterScavengeId: z.string() }),
  /** The server's own words for a refusal, such as `Invalid CRON expression`. */
  Refusal: z.string(),
  Problem: z.object({ type: z.string(), title: z.string(), status: count, detail: z.string() }),
  BackupSchedule: backupScheduleReport,
  Schedule: z.object({ schedule: z.string(), timeZone: z.string().optional() }),
  QuietHours: z.union([quietHours.partial({ days: true }), z.object({ window: z.string() }), z.null()]),
  CycleOptions: z.object({ threshold: count.optional(), scavengePoint: z.string().optional() }),
  NewBackupSchedule: z.object({
    expression: z.string(),
    timeZone: z.string().optional(),
    compress: z.boolean().optional(),
    retention: retention.optional()
  })
} as const;

export type ServiceSchemaName = keyof typeof SERVICE_SCHEMAS;
export type ServiceAnswer<Name extends ServiceSchemaName> = z.infer<(typeof SERVICE_SCHEMAS)[Name]>;
