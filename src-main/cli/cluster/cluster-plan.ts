/**
 * The plan of a cluster in a maintenance window, member by member: never two at once, the leader last. Members that are
 * directories are planned each by its own log and speed, the next one from the night after the one before it is through.
 * What a running node would free, and how fast it is, it does not say.
 */
import type { PlacementWithoutWrite } from '../../../src-core/index.ts';
import type { ClusterPlan } from '../../contract/operations/command-reports.ts';
import type { PlannedMember } from '../../contract/operations/window-reports.ts';
import { NOT_KNOWN, sumOf } from '../../contract/operations/planned-members.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import type { GlobalOptions } from '../global-options.ts';
import { localTime } from '../local-time.ts';
import type { OpenCluster, StatusMember } from '../../cluster/open-cluster.ts';
import { formatTable } from '../tables.ts';

export interface ClusterPlanAsked {
  window: string;
  scavengePoint: PlacementWithoutWrite;
  threshold?: number;
  winnowHome: string;
}

export async function planCluster(
  line: CommandLine,
  open: OpenCluster,
  { winnowHome, ...asked }: ClusterPlanAsked,
  options: GlobalOptions
): Promise<ClusterPlan> {
  const { cluster } = open;
  if (cluster.kind === 'local') {
    const [first, ...others] = cluster.members;
    if (first) {
      const request = { ...first, others, ...asked, winnowHome };
      return { name: cluster.name, ...(await line.call('planCluster', request, options)) };
    }
  }
  return {
    name: cluster.name,
    window: asked.window,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...sumOf(inOrder(await open.members()).map(unknownNode))
  };
}

/** As the coordinator takes them: who lags furthest first, the leader last. */
function inOrder(members: readonly StatusMember[]): StatusMember[] {
  const rank = ({ state }: StatusMember): number => (state === 'Leader' ? 1 : 0);
  return members.toSorted(
    (a, b) => rank(a) - rank(b) || (a.writerCheckpoint ?? 0) - (b.writerCheckpoint ?? 0)
  );
}

function unknownNode({ node, state, isAlive }: StatusMember): PlannedMember {
  const why = isAlive
    ? 'A running node does not say what a scavenge would free, nor how fast it is.'
    : 'It does not answer.';
  return { node, kind: 'remote', state, ...NOT_KNOWN, why };
}

export function clusterPlanText(plan: ClusterPlan, { colours }: Pick<CommandLine, 'colours'>): string {
  const rows = plan.members.flatMap(memberRows);
  const columns = [
    { title: 'member' },
    { title: 'night' },
    { title: 'until' },
    { title: 'chunks read', align: 'right' as const },
    { title: 'chunks done', align: 'right' as const },
    { title: 'frees', align: 'right' as const }
  ];
  const through =
    plan.throughAt === null
      ? plan.members.every(({ nights }) => nights?.length === 0)
        ? 'There is nothing to do.'
        : 'It is not known when the last member is through.'
      : `Through ${localTime(plan.throughAt)}, in ${formatNoun(nightsOf(plan), 'night')}.`;
  const freed = plan.bytesFreed === null ? 'not known' : formatBytes(plan.bytesFreed);
  return (
    `Maintenance window ${plan.window} (${plan.timeZone}), one member after another\n` +
    `${formatTable(columns, rows, colours)}${through} Freed on all members: ${freed}.\n` +
    plan.members.map(memberText).join('')
  );
}

function nightsOf({ members }: ClusterPlan): number {
  return members.reduce((sum, { nights }) => sum + (nights?.length ?? 0), 0);
}

function memberRows({ node, nights, bytesFreed }: PlannedMember): string[][] {
  if (nights === null || nights.length === 0) {
    const words = nights === null ? 'not known' : 'none';
    return [[node, words, '', '', '', bytesFreed === null ? 'not known' : formatBytes(bytesFreed)]];
  }
  return nights.map((night, i) => [
    i === 0 ? node : '',
    localTime(night.from),
    localTime(night.endsAt).slice(11),
    formatCount(night.chunksRead),
    formatCount(night.chunks),
    formatBytes(night.bytesFreed)
  ]);
}

function memberText({ node, state, threads, throttlePercent, throughAt, why }: PlannedMember): string {
  const name = state === null ? node : `${node} (${state})`;
  if (why !== null) return `${name}: ${why}\n`;
  if (threads === null || throttlePercent === null || throughAt === null) return '';
  const pace = throttlePercent === 100 ? 'no throttle' : `${throttlePercent} % of the time`;
  return `${name}: through ${localTime(throughAt)}, with ${formatNoun(threads, 'thread')}, ${pace}.\n`;
}
