/**
 * What commands print with `--json` that call no operation of the engine (clusters, users, licence, service), and what
 * commands print instead of their report with `--dry-run`. Only shapes: the schemas in resources/schemas are generated
 * from them.
 */
import { z } from 'zod';
import { SCAVENGE_RESULTS, SCHEDULE_STATES } from '../../../src-core/units/scavenge-terms.ts';
import { bundlePlanReport, unpackedBundleReport } from './bundle/bundle-reports.ts';
import { backupPlanReport } from './backup-reports.ts';
import { restorePlanReport } from './restore-reports.ts';
import { membersPlan } from './window-reports.ts';

const position = z.number().int();
const dryRun = z.literal(true);

const localCluster = z.object({
  kind: z.literal('local'),
  name: z.string(),
  members: z.array(z.object({ dataDirectory: z.string(), indexDirectory: z.string().optional() }))
});
const remoteCluster = z.object({
  kind: z.literal('remote'),
  name: z.string(),
  urls: z.array(z.string()),
  clusterSize: z.number().int(),
  user: z.string().optional(),
  certificateAuthorityFile: z.string().optional()
});
const clusters = z.array(z.union([localCluster, remoteCluster]));

const registration = z.object({
  clusters,
  /** For running nodes: why an address cannot be driven. */
  access: z.array(z.object({ node: z.string(), ok: z.boolean(), reason: z.string().nullable() })).optional()
});

/** The service's answer to `GET /auto-scavenge/status`, and whose schedule it is. */
const autoScavenge = z.object({
  state: z.enum(SCHEDULE_STATES),
  schedule: z.string().nullable(),
  timeUntilNextCycle: z.string().nullable(),
  /** The occurrence of the schedule that was skipped, while it is ahead. */
  skipped: z.string().optional(),
  /** The schedule as it was entered. */
  configuredSchedule: z.string().optional(),
  by: z.enum(['winnow', 'cluster']),
  /** The process of this WINNOW_HOME that runs it; null: none. */
  coordinator: z.object({ pid: z.number().int(), url: z.string().nullable() }).nullable().optional()
});
/** How to get a process to run the schedule. */
const hint = z.string().optional();

const clusterStatus = z.object({
  name: z.string(),
  members: z.array(
    z.object({
      node: z.string(),
      kind: z.enum(['local', 'remote']),
      /** The role in the server's words; for a directory `Stopped` or `InUse`. */
      state: z.string(),
      isAlive: z.boolean(),
      writerCheckpoint: position.nullable(),
      scavengeId: z.string().nullable(),
      /** Why its current scavenge is not known. */
      error: z.string().optional()
    })
  ),
  autoScavenge,
  hint
});
const clusterPlan = z.object({ name: z.string(), ...membersPlan.shape });
export type ClusterPlan = z.infer<typeof clusterPlan>;

const clusterScavenge = z.object({
  name: z.string(),
  result: z.enum(['success', 'stopped']),
  members: z.array(z.object({ node: z.string(), result: z.enum(SCAVENGE_RESULTS) }))
});
const clusterSchedule = z.object({ name: z.string(), autoScavenge, hint });
const users = z.object({ users: z.array(z.object({ name: z.string(), roles: z.array(z.string()) })) });
const licence = z.object({
  isValid: z.literal(true),
  holder: z.string(),
  expiresAt: z.string(),
  isEvaluation: z.boolean(),
  source: z.string()
});
const settings = z.object({
  settings: z.array(z.object({ name: z.string(), value: z.string(), source: z.string() }))
});

/** By command, as in reports.ts. */
export const COMMAND_SCHEMAS = {
  'cluster-register': registration,
  'cluster-add-node': registration,
  'cluster-list': z.object({ clusters }),
  'cluster-status': clusterStatus,
  'cluster-plan': clusterPlan,
  'cluster-scavenge': clusterScavenge,
  'cluster-stop': clusterSchedule.extend({ stopped: z.array(z.string()) }),
  'cluster-auto-scavenge': clusterSchedule,
  'cluster-quiet-hours': clusterSchedule,
  'user-add': users,
  'user-list': users,
  'user-password': users,
  'user-remove': users,
  'license-show': licence,
  'license-check': licence,
  config: settings,
  serve: z.union([z.object({ listening: z.string() }), settings])
} as const;

const plannedForCluster = z.object({ dryRun, name: z.string() });
const plannedForUsers = z.object({ dryRun, file: z.string() });

/** What `--dry-run` prints if it is not a report in which nothing was done. */
export const DRY_RUNS: Readonly<Record<string, z.ZodType>> = {
  'backup-create': backupPlanReport.extend({ dryRun }),
  'backup-adopt': z.object({ dryRun, target: z.string(), dataDirectory: z.string() }),
  bundle: z.union([bundlePlanReport.extend({ dryRun }), unpackedBundleReport.extend({ dryRun })]),
  restore: restorePlanReport,
  sample: z.object({ dryRun, dataDirectory: z.string(), bytes: position }),
  'cluster-register': z.object({ dryRun, clusters }),
  'cluster-add-node': z.object({ dryRun, clusters }),
  'cluster-scavenge': plannedForCluster.extend({ members: z.array(z.object({ node: z.string() })) }),
  'cluster-stop': plannedForCluster,
  'cluster-auto-scavenge': plannedForCluster.extend({ action: z.string() }),
  'cluster-quiet-hours': plannedForCluster,
  'user-add': plannedForUsers,
  'user-password': plannedForUsers,
  'user-remove': plannedForUsers
};
