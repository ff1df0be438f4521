/**
 * One running node of a cluster: what it scavenges now, what its last scavenge came to, and a person's start and stop
 * of it. A start is refused while anything runs in the cluster, and whoever coordinates waits for it to end.
 */
import { EngineError, findMember, invalidRequest, memberKey, type MemberId } from '../../src-core/index.ts';
import type { RemoteClusterAccess } from '../cluster/remote-cluster.ts';
import { currentScavenge, lastScavenge, stopScavenge } from '../cluster/remote-scavenger.ts';
import type { ClusterEntry, RemoteMemberState } from '../ipc/cluster-contract.ts';
import { idOfPlace } from './cluster-list.ts';

export interface RemoteMemberParts {
  entry: ClusterEntry;
  access: RemoteClusterAccess;
  memberId: string;
}

/** What a server answers while nothing runs. */
const NONE = '00000000-0000-0000-0000-000000000000';

/** A node that does not answer is a state with its reason. */
export async function remoteMemberState(parts: RemoteMemberParts): Promise<RemoteMemberState> {
  const { entry, access, memberId } = parts;
  const gossip = (await access.gossip()) ?? [];
  const id = idIn(
    parts,
    gossip.map((member) => member.id)
  );
  if (!id) return unknownState(memberId, nameOf(entry, memberId));
  const member = access.memberAt(id);
  const seen = findMember(gossip, id);
  const [current, last] = await Promise.all([currentScavenge(member), lastScavenge(member)]);
  return {
    id: memberId,
    name: memberKey(id),
    role: seen?.state ?? null,
    isAlive: seen?.isAlive === true && current !== undefined,
    writerCheckpoint: seen?.writerCheckpoint ?? null,
    currentScavengeId: current === NONE ? null : (current ?? null),
    last: last ?? null,
    error:
      current === undefined
        ? `${memberKey(id)} does not say what it runs: it is down, or refuses the user.`
        : null
  };
}

export async function startOnMember(
  parts: RemoteMemberParts,
  threshold?: number
): Promise<RemoteMemberState> {
  const reply = await parts.access.ask({ kind: 'start', member: await requireId(parts) }, threshold);
  if (reply.kind !== 'started') {
    throw remoteFailure(
      'The scavenge was not started: something runs in the cluster, or a node does not answer.'
    );
  }
  return remoteMemberState(parts);
}

export async function stopOnMember(parts: RemoteMemberParts): Promise<RemoteMemberState> {
  const reply = await stopScavenge(parts.access.memberAt(await requireId(parts)), undefined);
  if (reply.kind === 'failed') throw remoteFailure('The node did not say that its scavenge has stopped.');
  return remoteMemberState(parts);
}

async function requireId(parts: RemoteMemberParts): Promise<MemberId> {
  const gossip = await parts.access.gossip();
  if (!gossip) throw remoteFailure('No member of the cluster answers.');
  const id = idIn(
    parts,
    gossip.map((member) => member.id)
  );
  if (id) return id;
  throw invalidRequest('This node is no member of the cluster now.', 'memberId', 'Choose another one.');
}

/** Members that were registered have the id of their address as it was written. */
function idIn({ entry, memberId }: RemoteMemberParts, ids: readonly MemberId[]): MemberId | undefined {
  const place = entry.members.find(({ id }) => id === memberId)?.place;
  const host = place === undefined ? undefined : new URL(place).host.toLowerCase();
  return ids.find((id) => memberKey(id) === host || idOfPlace(memberKey(id)) === memberId);
}

function nameOf({ members }: ClusterEntry, memberId: string): string {
  return members.find(({ id }) => id === memberId)?.name ?? memberId;
}

function unknownState(id: string, name: string): RemoteMemberState {
  return {
    id,
    name,
    role: null,
    isAlive: false,
    writerCheckpoint: null,
    currentScavengeId: null,
    last: null,
    error: `${name} does not answer, and no other member knows it.`
  };
}

function remoteFailure(message: string): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message,
    remedy: 'Look at the members of the cluster, then try again.',
    details: {}
  });
}
