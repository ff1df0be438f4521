/** The answer of `GET /gossip`, as far as the coordinator needs it. Accepts unknown roles and members. */
import { z } from 'zod';
import { memberKey, type GossipMember } from '../../src-core/index.ts';

/** Of a placeholder; as the id of a scavenge: none. */
export const NO_INSTANCE = '00000000-0000-0000-0000-000000000000';

const gossip = z.object({
  members: z.array(
    z.object({
      instanceId: z.string(),
      state: z.string(),
      isAlive: z.boolean(),
      /** A member is identified by the address that nodes use among themselves. */
      internalHttpEndPointIp: z.string().min(1).optional(),
      internalHttpEndPointPort: z.number().int().min(1).max(65_535).optional(),
      httpEndPointIp: z.string().optional(),
      httpEndPointPort: z.number().int().optional(),
      writerCheckpoint: z.number().default(-1),
      epochNumber: z.number().int().optional(),
      epochId: z.string().optional(),
      esVersion: z.string().max(200).optional(),
      isReadOnlyReplica: z.boolean().default(false)
    })
  )
});

/** What servers say of unresolved seeds stands for nothing. */
function toldBy({
  epochId,
  esVersion,
  httpEndPointIp: address,
  httpEndPointPort: port
}: z.infer<typeof gossip>['members'][number]): Pick<GossipMember, 'epochId' | 'version' | 'clientAddress'> {
  return {
    ...(epochId !== undefined && epochId !== NO_INSTANCE && { epochId }),
    ...(esVersion !== undefined && esVersion !== 'unknown_version' && { version: esVersion }),
    ...(address !== undefined && port !== undefined && { clientAddress: memberKey({ address, port }) })
  };
}

/** undefined if it is not such an answer. */
export function parseGossip(body: string): GossipMember[] | undefined {
  let parsed;
  try {
    parsed = gossip.safeParse(JSON.parse(body));
  } catch {
    return undefined;
  }
  if (!parsed.success) return undefined;
  const members: GossipMember[] = [];
  for (const member of parsed.data.members) {
    const address = member.internalHttpEndPointIp ?? member.httpEndPointIp;
    const port = member.internalHttpEndPointPort ?? member.httpEndPointPort;
    if (address === undefined || port === undefined) return undefined;
    members.push({
      id: { address, port },
      state: member.state,
      isAlive: member.isAlive,
      isReadOnlyReplica: member.isReadOnlyReplica,
      writerCheckpoint: member.writerCheckpoint,
      hasInstance: member.instanceId !== NO_INSTANCE,
      ...(member.epochNumber !== undefined && { epochNumber: member.epochNumber }),
      ...toldBy(member)
    });
  }
  return members;
}
