/**
 * What gossip says of a cluster: its members with their roles and positions. A member is its address and port;
 * the same process under another address is another member.
 */
export interface MemberId {
  address: string;
  /** 0: the address is the path of a stopped node's directory. */
  port: number;
}

export interface GossipMember {
  id: MemberId;
  /** The role in the server's words; only exactly `Leader` is one. */
  state: string;
  isAlive: boolean;
  isReadOnlyReplica: boolean;
  /** End of this member's log, in bytes. */
  writerCheckpoint: number;
  /** false for a placeholder: an address from a seed list that has not answered yet. */
  hasInstance: boolean;
  /** Of the process behind the address, where it is known: after a restart another one. */
  instance?: string;
  /** Number of the reign it knows last, where gossip tells it: each election begins another one. */
  epochNumber?: number;
  /** The same on all members of one history. */
  epochId?: string;
  /** Of the server, where gossip tells it. */
  version?: string;
  /** Where clients reach it, if that is another address; as a key of a member. */
  clientAddress?: string;
}

/** Equal for equal members. Host names do not mind their case; a path, which has no port, may. */
export function memberKey({ address, port }: MemberId): string {
  return port === 0 ? address : `${address.toLowerCase()}:${port}`;
}

export function isSameMember(a: MemberId, b: MemberId): boolean {
  return memberKey(a) === memberKey(b);
}

/** Exactly the expected number of full members. Whether they are alive does not matter. */
export function isHealthy(members: readonly GossipMember[], clusterSize: number): boolean {
  let full = 0;
  for (const member of members) {
    if (member.hasInstance && !member.isReadOnlyReplica) full++;
  }
  return full === clusterSize;
}

/** The last entry of a member counts: an address can appear in gossip twice. */
export function findMember(members: readonly GossipMember[], id: MemberId): GossipMember | undefined {
  return members.findLast((member) => isSameMember(member.id, id));
}

export function findLeader(members: readonly GossipMember[]): GossipMember | undefined {
  return members.findLast((member) => member.state === 'Leader' && member.isAlive);
}
