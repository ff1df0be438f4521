/**
 * What a running node and its cluster say of themselves, and whether such a node may be the source of a backup:
 * it must be up to date and connected. Pure.
 */
import { EngineError } from '../errors.ts';
import type { ManifestMember, ManifestNote } from './manifest.ts';

export interface NodeFacts {
  /** Without credentials. */
  address: string;
  serverVersion: string | null;
  role: string;
  writer: number | null;
  /** All members as gossip names them, the node itself included; null where gossip cannot be asked. */
  cluster: ManifestMember[] | null;
}

/**
 * Roles whose files are a state the cluster has agreed on. The others replace whole chunks. `maintenance`: a node
 * service of ours answers, and no server runs.
 */
const FIT_ROLES = new Set(['leader', 'master', 'follower', 'slave', 'readonlyreplica', 'maintenance']);
const LEADER_ROLES = new Set(['leader', 'master']);
/** A node further behind has missed something, not just the last seconds. */
const MAX_LAG_BYTES = 256 * 1024 * 1024;
const NOTED_LAG_BYTES = 1024 * 1024;

/** Refuses a node that cannot be a source; returns what is worth a note. */
export function requireFitNode(facts: NodeFacts, when: 'before' | 'after'): ManifestNote[] {
  const moment = when === 'before' ? '' : ' after the copy';
  if (!FIT_ROLES.has(facts.role.toLowerCase())) {
    throw unfit(facts, `it is in the state ${facts.role}${moment}`);
  }
  const { cluster } = facts;
  if (!cluster) return [];
  const leader = cluster.find((member) => member.isAlive && LEADER_ROLES.has(member.role.toLowerCase()));
  if (!leader) throw unfit(facts, `the cluster it sees has no live leader${moment}`);
  // Gossip does not always tell which of its entries is the node that answers.
  const lag = leader.writer === null || facts.writer === null ? 0 : leader.writer - facts.writer;
  if (lag > MAX_LAG_BYTES)
    throw unfit(facts, `it is ${lag} bytes behind the leader ${leader.address}${moment}`);
  if (lag <= NOTED_LAG_BYTES) return [];
  return [
    {
      code: 'behindLeader',
      message: `The node was ${lag} bytes behind the leader ${leader.address}${moment}.`,
      remedy:
        'Nothing to do if the cluster was busy; otherwise take the backup again when the node has caught up.'
    }
  ];
}

/** A note while fewer than a quorum of the nodes have backups in the target. `nodes`: how many have. */
export function quorumNote(facts: NodeFacts | undefined, nodes: number): ManifestNote[] {
  const members = facts?.cluster?.filter((member) => member.role.toLowerCase() !== 'readonlyreplica') ?? [];
  const quorum = Math.floor(members.length / 2) + 1;
  if (members.length < 2 || nodes >= quorum) return [];
  return [
    {
      code: 'fewerThanQuorum',
      message: `${nodes} of ${members.length} nodes ${nodes === 1 ? 'has' : 'have'} a backup here; a quorum is ${quorum}.`,
      remedy: 'For extra safety, back up at least a quorum of nodes into the same target.'
    }
  ];
}

function unfit(facts: NodeFacts, reason: string): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: `${facts.address} cannot be the source of a backup now: ${reason}.`,
    remedy: 'Wait until the node is up to date and connected, or back up another node.',
    details: { node: facts.address, role: facts.role }
  });
}
