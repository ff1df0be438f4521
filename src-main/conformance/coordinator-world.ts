/**
 * What a coordinator in a case sees: a clock, a store and nodes that answer as the case says, all of them
 * recording requests. Names in a case (`n1`, `c1`, `s1`) stand for addresses and ids.
 */
import { Coordinator, parseWallTime } from '../../src-core/index.ts';
import type { GossipMember, MemberId, NodeReply, NodeRequest, StoredEvent } from '../../src-core/index.ts';
import type {
  CaseEvent,
  CaseMember,
  CaseRequest,
  CoordinatorCase,
  CoordinatorStep
} from './coordinator-case.ts';

const REPLIES: Record<NodeRequest['kind'], string> = {
  start: 'started',
  poll: 'inProgress',
  stop: 'stopped',
  resign: 'resigning'
};
const TIMES = [
  'updatedAt',
  'startedAt',
  'designatedAt',
  'completedAt',
  'requestedAt',
  'pausedAt',
  'resumedAt'
];
/** Where an event of each type keeps its time. */
const TIME_OF: Record<string, string> = {
  '$configuration-updated': 'updatedAt',
  '$cluster-scavenge-started': 'startedAt',
  '$node-designated': 'designatedAt',
  '$node-scavenge-started': 'startedAt',
  '$node-scavenge-completed': 'completedAt',
  '$cluster-scavenge-completed': 'completedAt',
  '$pause-requested': 'requestedAt',
  $paused: 'pausedAt',
  $resumed: 'resumedAt'
};

export class CoordinatorWorld {
  readonly #case: CoordinatorCase;
  readonly #stored: StoredEvent[];
  readonly #replies = new Map<string, string[]>();
  #now: string;
  #self: string;
  #cycles = 0;
  #starts = 0;
  #failure: CoordinatorStep['store'];
  #requests: CaseRequest[] = [];
  #firstNew = 0;
  coordinator: Coordinator;

  constructor(coordinatorCase: CoordinatorCase) {
    this.#case = coordinatorCase;
    this.#now = coordinatorCase.start;
    this.#self = coordinatorCase.self ?? 'n1';
    this.#stored = (coordinatorCase.history ?? []).map(storedEvent);
    this.coordinator = this.#startCoordinator();
  }

  prepare(step: CoordinatorStep): void {
    this.#now = step.at ?? this.#now;
    this.#failure = step.store;
    this.#requests = [];
    this.#firstNew = this.#stored.length;
    for (const [node, kinds] of Object.entries(step.replies ?? {})) {
      for (const [kind, replies] of Object.entries(kinds)) {
        const queue = this.#replies.get(`${node} ${kind}`) ?? [];
        this.#replies.set(`${node} ${kind}`, [...queue, ...replies]);
      }
    }
    if (step.self !== undefined && step.self !== this.#self) {
      this.#self = step.self;
      this.restart();
    }
  }

  restart(): void {
    this.coordinator = this.#startCoordinator();
  }

  gossipOf(gossip: string | CaseMember[]): GossipMember[] {
    return this.#membersOf(gossip).map((member) => ({
      id: memberOf(member.node),
      state: member.state ?? 'Follower',
      isAlive: member.alive ?? true,
      isReadOnlyReplica: member.readOnlyReplica ?? false,
      writerCheckpoint: member.writerCheckpoint ?? 0,
      hasInstance: member.instance !== null,
      instance: instanceOf(member)
    }));
  }

  /** A list by its name; an unknown name is a fault of the case. */
  #membersOf(gossip: string | CaseMember[]): CaseMember[] {
    if (typeof gossip !== 'string') return gossip;
    const members = this.#case.gossips?.[gossip];
    if (!members) throw new Error(`The case has no gossip "${gossip}".`);
    return members;
  }

  /** The node that an instance belongs to, as the gossips of the case tell; the instance is named as its node otherwise. */
  #nodeOf(instance: string): string {
    const inSteps = this.#case.steps.flatMap(({ gossip }) => (Array.isArray(gossip) ? gossip : []));
    const members = [...Object.values(this.#case.gossips ?? {}).flat(), ...inSteps];
    return members.find((member) => instanceOf(member) === instance)?.node ?? instance;
  }

  /** What was stored since the step began, in the form of a case: no times, names for nodes. */
  newEvents(): CaseEvent[] {
    return this.#stored.slice(this.#firstNew).map(({ type, data }) => {
      const event: CaseEvent = { type };
      for (const [name, value] of Object.entries(data)) {
        if (!TIMES.includes(name)) event[name] = namesIn(value);
      }
      return event;
    });
  }

  newRequests(): CaseRequest[] {
    return this.#requests;
  }

  #startCoordinator(): Coordinator {
    const { clusterSize } = this.#case;
    const self = memberOf(this.#nodeOf(this.#self));
    return new Coordinator(
      { clusterSize, order: 'lagging', self, selfInstance: this.#self, afterStoreFailure: 'die' },
      {
        store: {
          load: () => Promise.resolve(this.#load()),
          append: (event) => this.#append(event),
          probe: () => Promise.resolve()
        },
        scavenger: (request) => Promise.resolve(this.#answer(request)),
        now: () => parseWallTime(this.#now)!,
        newId: () => `c${++this.#cycles}`,
        log: () => undefined
      }
    );
  }

  #load(): { configuration: StoredEvent | undefined; history: StoredEvent[] } {
    const isConfiguration = ({ type }: StoredEvent): boolean => type === '$configuration-updated';
    const events = this.#stored.filter((event) => !isConfiguration(event));
    const last = events.findLastIndex(({ type }) => type === '$cluster-scavenge-completed');
    return { configuration: this.#stored.findLast(isConfiguration), history: events.slice(last + 1) };
  }

  #append(event: StoredEvent): Promise<'stored' | 'notLeader'> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === 'notLeader') return Promise.resolve('notLeader');
    if (failure !== undefined) return Promise.reject(new Error(`The store says ${failure}.`));
    this.#stored.push(event);
    return Promise.resolve('stored');
  }

  #answer(request: NodeRequest): NodeReply {
    const node = nameOf(request.member);
    this.#requests.push(requestWords(request));
    const word = this.#replies.get(`${node} ${request.kind}`)?.shift() ?? REPLIES[request.kind];
    if (word === 'started') return { kind: 'started', scavengeId: `s${++this.#starts}` };
    return { kind: word } as NodeReply;
  }
}

/** A placeholder has a unique one. */
function instanceOf({ node, instance }: CaseMember): string {
  return instance === null ? `${node} (nobody yet)` : (instance ?? node);
}

/** `n3` is 192.0.2.3, port 2113. */
export function memberOf(name: string): MemberId {
  return { address: `192.0.2.${name.slice(1)}`, port: 2113 };
}

function nameOf({ address }: MemberId): string {
  return `n${address.slice(address.lastIndexOf('.') + 1)}`;
}

function requestWords(request: NodeRequest): CaseRequest {
  const node = nameOf(request.member);
  if (request.kind === 'resign') return ['resign'];
  if (request.kind === 'stop') return ['stop', node, request.scavengeId ?? 'current'];
  return [request.kind, node];
}

/** An event of a case as stored. */
export function storedEvent({ type, at, ...values }: CaseEvent): StoredEvent {
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) data[name] = addressesIn(name, value);
  const timeMember = TIME_OF[type];
  if (timeMember !== undefined) data[timeMember] = at;
  return { type, data };
}

function addressesIn(name: string, value: unknown): unknown {
  if (name === 'nodeId') return memberOf(value as string);
  if (Array.isArray(value)) return value.map((node) => memberOf(node as string));
  return value;
}

function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesIn);
  return isMember(value) ? nameOf(value) : value;
}

function isMember(value: unknown): value is MemberId {
  return typeof value === 'object' && value !== null && 'address' in value;
}
