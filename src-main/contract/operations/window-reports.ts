/** A maintenance window in the report of a plan, of one node or of all members of a cluster, and of a run in it. */
import { z } from 'zod';

const count = z.number().int();

export const windowPlan = z.object({
  /** As asked: `02:00-04:00`. */
  window: z.string(),
  timeZone: z.string(),
  /** What the runs in this window work with: the gentlest measured pace that needs no more nights, or as asked. */
  threads: count,
  throttlePercent: count,
  chosenBy: z.enum(['asked', 'plan']),
  /** Numbers of threads whose speed was measured, and how many could be used; null: not known. */
  measuredThreads: z.array(count),
  mostThreads: count.nullable(),
  members: count,
  /** Of the whole work at this pace. null: not known. */
  bytesPerSecond: count.nullable(),
  /** Of one thread without a throttle. `history`: of the last scavenges of this database. null: not known. */
  rate: z.object({ source: z.enum(['history', 'measured']), bytesPerSecond: count }).nullable(),
  nights: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      /** When the work of this night ends. */
      endsAt: z.string(),
      /** From 1 on. */
      member: count,
      chunksRead: count,
      /** Chunks that are replaced, or stay because their copy is not smaller. */
      chunks: count,
      bytesFreed: count,
      /** Of work that the end of the window cuts and the next night begins again. */
      lostMs: count
    })
  ),
  throughAt: z.string().nullable(),
  /** Why it is not known when it is through, or that it never is. */
  why: z.string().nullable()
});
export type WindowPlan = z.infer<typeof windowPlan>;

export const runPace = z.object({
  threads: count,
  throttlePercent: count,
  /** `plan`: the last plan of the window named it. `none`: no plan did, and none was given. */
  chosenBy: z.enum(['asked', 'plan', 'none']),
  /** ISO 8601; null: no plan named it. */
  plannedAt: z.string().nullable()
});

export const plannedMember = z.object({
  node: z.string(),
  kind: z.enum(['local', 'remote']),
  /** The role in the server's words; null for a directory. */
  state: z.string().nullable(),
  /** null: not known, as all that follows. */
  bytesFreed: count.nullable(),
  threads: count.nullable(),
  throttlePercent: count.nullable(),
  nights: windowPlan.shape.nights.nullable(),
  throughAt: z.string().nullable(),
  /** Why it is not known, or that there is nothing to do. */
  why: z.string().nullable()
});
export type PlannedMember = z.infer<typeof plannedMember>;

export const membersPlan = z.object({
  window: z.string(),
  timeZone: z.string(),
  /** In the order in which they are scavenged. */
  members: z.array(plannedMember),
  /** On all members; null: not known of each of them. */
  bytesFreed: count.nullable(),
  throughAt: z.string().nullable()
});
export type MembersPlan = z.infer<typeof membersPlan>;
