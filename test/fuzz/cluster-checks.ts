/**
 * What must hold of a coordinator whatever happens, told of what it is shown, asks for and stores: a pause holds, a leader is
 * asked to resign before it is scavenged, and a cycle that is complete has told of every member how its scavenge ended.
 */
import type { StoredEvent } from '../../src-core/auto-scavenge/coordinator-event.ts';
import type { SimulatedNode } from '../support/simulated-cluster.ts';

interface Member {
  state: string;
  isAlive: boolean;
  httpEndPointPort: number;
}

export class ClusterChecks {
  readonly violations: string[] = [];
  /** Ports of the leaders in the newest gossip that was answered. */
  #leaders: number[] = [];
  #isPaused = false;
  /** Of the cycle that is open: members whose end was told. */
  #told: Set<string> | undefined;
  #left = new Set<string>();
  /** Scavenges that the coordinator knows to be its own. */
  readonly #known = new Set<string>();

  sawGossip(body: string): void {
    const { members } = JSON.parse(body) as { members: Member[] };
    this.#leaders = members
      .filter(({ state, isAlive }) => state === 'Leader' && isAlive)
      .map(({ httpEndPointPort }) => httpEndPointPort);
  }

  /** The coordinator has said that it pauses. */
  paused(): void {
    this.#isPaused = true;
  }

  /** Somebody asks it to go on, with or without success. */
  resuming(): void {
    this.#isPaused = false;
  }

  asksToStart(node: SimulatedNode, clusterSize: number): void {
    if (this.#isPaused) this.violations.push(`${node.port} was started in a pause`);
    if (clusterSize > 1 && this.#leaders.includes(node.port))
      this.violations.push(`${node.port} was started although it was shown as the leader`);
  }

  /**
   * In force is a pause when none of these runs. What was started and never answered to, before the coordinator was killed, is
   * nobody's: it may be a person's, and is let run to its end.
   */
  isOwn(scavengeId: string): boolean {
    return this.#known.has(scavengeId);
  }

  stored({ type, data }: StoredEvent): void {
    if (type === '$node-scavenge-started') this.#known.add(String(data['scavengeId']));
    if (type === '$cluster-scavenge-started') {
      this.#told = new Set();
      this.#left = new Set();
    }
    if (type === '$node-scavenge-completed') this.#told?.add(keyOf(data['nodeId']));
    if (type === '$cluster-members-changed')
      for (const member of data['removed'] as unknown[]) this.#left.add(keyOf(member));
    if (type !== '$cluster-scavenge-completed' || !this.#told) return;
    for (const member of (data['members'] as unknown[]).map(keyOf))
      if (!this.#told.has(member) && !this.#left.has(member))
        this.violations.push(`a cycle is complete that tells nothing of ${member}`);
    this.#told = undefined;
  }
}

function keyOf(member: unknown): string {
  return JSON.stringify(member);
}
