/**
 * One running node of a cluster: its current scavenge, the result of its last one, and a person's start and stop
 * of it. A start is refused while anything runs in the cluster; the coordinator waits for it to end.
 */
import {
  EngineError,
  findMember,
  invalidRequest,
  memberKey,
  type MemberId,
  type NodeFault
} from '../../src-core/index.ts';
import type { RemoteClusterAccess } from '../cluster/remote-cluster.ts';
import { askCurrent, lastScavenge, stopScavenge } from '../cluster/remote-scavenger.ts';
import type { ClusterEntry, RemoteMemberState } from '../contract/verbs/cluster-contract.ts';
import { idOfPlace } from './cluster-list.ts';

export interface RemoteMemberParts {
  entry: ClusterEntry;
  access: RemoteClusterAccess;
  memberId: string;
}

/** A node that does not answer is a state with its reason. */
export async function remoteMemberState(parts: RemoteMemberParts): Promise<RemoteMemberState> {
  const { entry, access, memberId } = parts;
  const gossip = (await access.gossip()) ?? [];
  const id = idIn(
    parts,
    gossip.map((member) => member.id)
  );
  if (!id) return unknownState(memberId, nameOf(entry, memberId), access.gossipFault);
  const member = access.memberAt(id);
  const seen = findMember(gossip, id);
  const [{ running, fault }, last] = await Promise.all([askCurrent(member), lastScavenge(member)]);
  const why = fault && (await access.explained(fault, id)).reason;
  return {
    id: memberId,
    name: memberKey(id),
    role: seen?.state ?? null,
    isAlive: seen?.isAlive === true && fault === undefined,
    writerCheckpoint: seen?.writerCheckpoint ?? null,
    currentScavengeId: running ?? null,
    last: last ?? null,
    error: why === undefined ? null : `${memberKey(id)} ${why}.`
  };
}

export async function startOnMember(
  parts: RemoteMemberParts,
  threshold?: number
): Promise<RemoteMemberState> {
  const reply = await parts.access.askNow({ kind: 'start', member: await requireId(parts) }, threshold);
  if (reply.kind !== 'started') {
    const fault = 'fault' in reply ? reply.fault : undefined;
    throw remoteFailure(
      fault === undefined
        ? 'The scavenge was not started: another one runs in the cluster, or a node does not answer.'
        : `The scavenge was not started: the node ${fault.reason}.`,
      fault?.remedy
    );
  }
  return remoteMemberState(parts);
}

export async function stopOnMember(parts: RemoteMemberParts): Promise<RemoteMemberState> {
  const reply = await stopScavenge(parts.access.memberAt(await requireId(parts)), undefined);
  if (reply.kind === 'failed') {
    const why = reply.fault === undefined ? '' : `: it ${reply.fault.reason}`;
    throw remoteFailure(`The node did not confirm that its scavenge has stopped${why}.`, reply.fault?.remedy);
  }
  return remoteMemberState(parts);
}

async function requireId(parts: RemoteMemberParts): Promise<MemberId> {
  const gossip = await parts.access.gossip();
  if (!gossip) {
    const fault = parts.access.gossipFault;
    throw remoteFailure(`The cluster ${fault?.reason ?? 'does not answer'}.`, fault?.remedy);
  }
  const id = idIn(
    parts,
    gossip.map((member) => member.id)
  );
  if (id) return id;
  throw invalidRequest('This node is not a member of the cluster now.', 'memberId', 'Choose another one.');
}

/** Registered members have the id of their address as it was written. */
function idIn({ entry, memberId }: RemoteMemberParts, ids: readonly MemberId[]): MemberId | undefined {
  const place = entry.members.find(({ id }) => id === memberId)?.place;
  const host = place === undefined ? undefined : new URL(place).host.toLowerCase();
  return ids.find((id) => memberKey(id) === host || idOfPlace(memberKey(id)) === memberId);
}

function nameOf({ members }: ClusterEntry, memberId: string): string {
  return members.find(({ id }) => id === memberId)?.name ?? memberId;
}

function unknownState(id: string, name: string, fault: NodeFault | undefined): RemoteMemberState {
  return {
    id,
    name,
    role: null,
    isAlive: false,
    writerCheckpoint: null,
    currentScavengeId: null,
    last: null,
    error: fault === undefined ? `No member of the cluster knows ${name}.` : `The cluster ${fault.reason}.`
  };
}

function remoteFailure(
  message: string,
  remedy = 'Check the members of the cluster, then try again.'
): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message,
    remedy,
    details: {}
  });
}
