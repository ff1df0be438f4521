/**
 * What running nodes tell of themselves besides gossip: the room on the disk of their data, and when their last scavenge
 * ended. Kept for a while, since each question costs a node something and the answers change slowly. What a node does not
 * tell, or nobody may read, is not known.
 */
import { z } from 'zod';
import { memberKey, type GossipMember } from '../../src-core/index.ts';
import { askNode, type Asked } from './node-answer.ts';
import type { RemoteMember } from './remote-scavenger.ts';

const KEPT_MS = 30_000;
const TIMEOUT_MS = 2000;

export interface MemberDetails {
  /** On the volume of its data; null: it does not say, as all that follows. */
  freeBytes: number | null;
  totalBytes: number | null;
  /** When its last scavenge ended well. */
  lastScavenged: string | null;
}

export class MembersDetails {
  readonly #memberAt: (id: GossipMember['id']) => RemoteMember;
  readonly #clock: () => number;
  #kept: { untilMs: number; asked: string; details: Promise<ReadonlyMap<string, MemberDetails>> } | undefined;

  /** `clock`: monotonic milliseconds. */
  constructor(memberAt: (id: GossipMember['id']) => RemoteMember, clock: () => number) {
    this.#memberAt = memberAt;
    this.#clock = clock;
  }

  /** By the key of the member; only of those that are alive. Never rejects. */
  of(gossip: readonly GossipMember[]): Promise<ReadonlyMap<string, MemberDetails>> {
    const alive = gossip.filter(({ isAlive, hasInstance }) => isAlive && hasInstance);
    const asked = alive.map(({ id }) => memberKey(id)).join(' ');
    if (!this.#kept || this.#kept.untilMs <= this.#clock() || this.#kept.asked !== asked) {
      this.#kept = { untilMs: this.#clock() + KEPT_MS, asked, details: this.#ask(alive) };
    }
    return this.#kept.details;
  }

  async #ask(alive: readonly GossipMember[]): Promise<ReadonlyMap<string, MemberDetails>> {
    // The runs of all nodes are in the same streams: one of them is asked.
    const [drives, ends] = await Promise.all([
      Promise.all(alive.map(({ id }) => driveOf(this.#memberAt(id)))),
      this.#endsFrom(alive)
    ]);
    return new Map(
      alive.map((member, index) => {
        const key = memberKey(member.id);
        const lastScavenged = ends.get(key) ?? ends.get(member.clientAddress ?? key) ?? null;
        const { freeBytes = null, totalBytes = null } = drives[index] ?? {};
        return [key, { freeBytes, totalBytes, lastScavenged }];
      })
    );
  }

  async #endsFrom(alive: readonly GossipMember[]): Promise<ReadonlyMap<string, string>> {
    const [first] = alive;
    if (!first) return new Map();
    const { answer, fault } = await ask(this.#memberAt(first.id), '/streams/%24scavenges?embed=body');
    return fault ? new Map() : lastEnds(answer.body);
  }
}

async function driveOf(member: RemoteMember): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
  const { answer, fault } = await ask(member, '/stats?group=false');
  return fault ? undefined : driveIn(answer.body);
}

/** The one volume that a server tells of: that of its data. Several, or none: not known. */
export function driveIn(body: string): { freeBytes: number; totalBytes: number } | undefined {
  const stats = z.record(z.string(), z.unknown()).safeParse(parsed(body));
  if (!stats.success) return undefined;
  const names = Object.keys(stats.data).flatMap(
    (key) => /^sys-drive-(.+)-availableBytes$/.exec(key)?.slice(1) ?? []
  );
  const [name] = names;
  if (names.length !== 1 || name === undefined) return undefined;
  const size = z.number().nonnegative();
  const free = size.safeParse(stats.data[`sys-drive-${name}-availableBytes`]);
  const total = size.safeParse(stats.data[`sys-drive-${name}-totalBytes`]);
  return free.success && total.success ? { freeBytes: free.data, totalBytes: total.data } : undefined;
}

const feed = z.object({
  entries: z.array(
    z.object({
      eventType: z.string().optional(),
      data: z.string().optional(),
      updated: z.string().optional()
    })
  )
});
const ended = z.object({ nodeEndpoint: z.string(), result: z.string() });

/** By the address of the node, in lower case: when the newest scavenge that succeeded ended. */
export function lastEnds(body: string): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  const found = feed.safeParse(parsed(body));
  for (const { eventType, data, updated } of found.data?.entries ?? []) {
    if (eventType !== '$scavengeCompleted' || updated === undefined || Number.isNaN(Date.parse(updated)))
      continue;
    const end = ended.safeParse(parsed(data ?? ''));
    if (!end.success || end.data.result.toLowerCase() !== 'success') continue;
    const node = end.data.nodeEndpoint.replace(/^Unspecified\//, '').toLowerCase();
    const known = ends.get(node);
    if (known === undefined || Date.parse(known) < Date.parse(updated)) ends.set(node, updated);
  }
  return ends;
}

function ask({ baseUrl, authorization, call }: RemoteMember, path: string): Promise<Asked> {
  return askNode(call, { method: 'GET', url: `${baseUrl}${path}`, authorization, timeoutMs: TIMEOUT_MS });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
