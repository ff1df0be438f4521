/** Validates the window's requests about clusters, the service of a node and the licence. */
import { z } from 'zod';
import type { ClusterVerbName } from './cluster-contract.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(100);
/** A registered name, or that of a single node. */
const cluster = z.string().min(1).max(100);
const named = z.strictObject({ cluster });
const member = z.strictObject({ cluster, memberId: id });
const ofNode = z.strictObject({ nodeId: id });
const clusterName = z
  .string()
  .trim()
  .regex(/^[\w.-]{1,60}$/, 'letters, digits, dots, hyphens and underscores, at most 60');
const url = z
  .string()
  .trim()
  .max(500)
  .refine(isAddress, 'an address like https://node-1.example:2113, without a user, a path or a query');
const clusterSize = z.number().int().min(1).max(99).exactOptional();
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time like 08:00');
const quietHours = z.strictObject({
  from: clockTime,
  to: clockTime,
  days: z.array(z.number().int().min(0).max(6)).min(1).max(7)
});

export const clusterVerbRequests = {
  listClusters: nothing,
  clusterOfNode: ofNode,
  createCluster: z.strictObject({
    name: clusterName,
    nodeIds: z.array(id).min(1).max(99).exactOptional(),
    urls: z.array(url).min(1).max(99).exactOptional(),
    clusterSize
  }),
  renameCluster: z.strictObject({ cluster, name: clusterName }),
  forgetCluster: named,
  addClusterNode: z.strictObject({ cluster, nodeId: id }),
  addClusterAddress: z.strictObject({ cluster, url, clusterSize }),
  removeClusterMember: member,
  setClusterAccess: z.strictObject({
    cluster,
    // A colon would end the name in the header.
    user: z
      .string()
      .regex(/^[^\s:\p{Cc}]{1,100}$/u)
      .nullable(),
    password: z.string().min(1).max(1000).exactOptional()
  }),
  chooseClusterAuthority: named,
  forgetClusterAuthority: named,
  remoteMember: member,
  startRemoteScavenge: member.extend({
    threshold: z.number().int().min(-1).max(2_147_483_647).exactOptional()
  }),
  stopRemoteScavenge: member,
  autoScavengeStatus: named,
  followCluster: z.strictObject({ cluster: cluster.nullable() }),
  configureAutoScavenge: z.strictObject({
    cluster,
    schedule: z.string().max(1000),
    timeZone: z.string().min(1).max(100).exactOptional()
  }),
  pauseAutoScavenge: named,
  resumeAutoScavenge: named,
  runAutoScavengeNow: named,
  skipAutoScavenge: named,
  setQuietHours: z.strictObject({
    cluster,
    quietHours: z.union([quietHours, z.strictObject({ window: z.string().max(40) })]).nullable()
  }),
  licenceState: nothing,
  chooseLicence: z.strictObject({ choice: z.enum(['evaluation', 'file', 'none']) }),
  nodeServiceState: ofNode,
  startNodeService: z.strictObject({
    nodeId: id,
    host: z.string().min(1).max(253).exactOptional(),
    port: z.number().int().min(0).max(65_535).exactOptional()
  }),
  stopNodeService: ofNode
} satisfies Record<ClusterVerbName, z.ZodType>;

/** Only the part that names a node: anything else in an address would be sent along or mislead its readers. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && username === '' && password === '' && pathname === '/' && search === '' && hash === '';
}
