/**
 * The scavenges that this process runs on directories: one keeper of runs for each directory, shared by the schedule of
 * its cluster and the service of its node, so that each knows what the other runs.
 */
import { localMemberId } from '../cluster/cluster-parts.ts';
import { NodeScavenges, type NodeScavengesParts } from '../cluster/node-scavenges.ts';

export class MemberScavenges {
  readonly #kept = new Map<string, NodeScavenges>();

  /** `parts`: of the first caller. */
  of(dataDirectory: string, parts: NodeScavengesParts): NodeScavenges {
    const key = localMemberId(dataDirectory).address;
    const kept = this.#kept.get(key) ?? new NodeScavenges(parts);
    this.#kept.set(key, kept);
    return kept;
  }

  /** One that something else in this process runs already. */
  keep(dataDirectory: string, scavenges: NodeScavenges): void {
    this.#kept.set(localMemberId(dataDirectory).address, scavenges);
  }

  /** Of a directory, if a scavenge has run on it. */
  find(dataDirectory: string): NodeScavenges | undefined {
    return this.#kept.get(localMemberId(dataDirectory).address);
  }

  /** Directories on which a scavenge runs. */
  running(): string[] {
    return [...this.#kept].flatMap(([key, scavenges]) => (scavenges.current === undefined ? [] : [key]));
  }

  /** Stops all of them where the next run can resume, and waits for that. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((scavenges) => scavenges.stop('current')));
  }
}
