/** What the coordinator needs from outside. All of it is replaced in tests. */
import type { StoredEvent } from './coordinator-event.ts';
import type { NodeReply, NodeRequest } from './coordinator-rules.ts';
import type { TimeZone } from './local-time.ts';
import type { WallTime } from './wall-time.ts';

export interface CoordinatorStore {
  /** The last configuration, and the other events since the last cycle that was completed, oldest first. */
  load(): Promise<{ configuration: StoredEvent | undefined; history: StoredEvent[] }>;
  /**
   * Durable when it resolves. `notLeader`: refused because another one leads now. Throws when the event could
   * not be stored, or when another process wrote meanwhile.
   */
  append(event: StoredEvent): Promise<'stored' | 'notLeader'>;
  /** Tries whether writing works again after it failed; throws when it does not. Changes nothing. */
  probe(): Promise<void>;
}

/** Carries out requests. Never throws: what goes wrong is a reply. Each within about a second. */
export type NodeScavenger = (request: NodeRequest) => Promise<NodeReply>;

export interface CoordinatorPorts {
  store: CoordinatorStore;
  scavenger: NodeScavenger;
  /** In the zone that was chosen for the schedule, else in one's own. */
  now: (timeZone?: string) => WallTime;
  /** The same zone, with its rules: for quiet hours. not given: UTC. */
  zone?: (timeZone?: string) => TimeZone;
  newId: () => string;
  /** Asked right before each cycle: the reason why none may begin, as a licence that has expired. Not given: none. */
  refusal?: () => Promise<string | undefined>;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
}

/**
 * The answer to a user's call: a JSON body, or the detail of a problem document. `note`: a sentence that a server does
 * not give, about what was refused or about what was taken and probably means something else than it seems to.
 */
export type CallAnswer = { note?: string } & (
  { status: number; body: unknown; detail?: never } | { status: number; detail: string; body?: never }
);
