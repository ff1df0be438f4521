/**
 * The plan of a cluster in a maintenance window, member by member: never two at once, the leader last. Members that are
 * directories are planned each by its own log and speed, the next one from the night after the one before it is through.
 * What a running node would free, and how fast it is, it does not say.
 */
import { EngineError, type PlacementWithoutWrite } from '../../../src-core/index.ts';
import type { ClusterPlan, PlannedMember } from '../../contract/operations/command-reports.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import type { LocalCluster } from '../../settings/cluster-registry.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import type { GlobalOptions } from '../global-options.ts';
import { localTime } from '../local-time.ts';
import type { OpenCluster, StatusMember } from './open-cluster.ts';
import { formatTable } from '../tables.ts';

export interface ClusterPlanAsked {
  window: string;
  scavengePoint: PlacementWithoutWrite;
  threshold: number | undefined;
  winnowHome: string;
}

const UNKNOWN = { bytesFreed: null, throughAt: null, threads: null, throttlePercent: null, nights: null };

export async function planCluster(
  line: CommandLine,
  open: OpenCluster,
  asked: ClusterPlanAsked,
  options: GlobalOptions
): Promise<ClusterPlan> {
  const { cluster } = open;
  const members =
    cluster.kind === 'local'
      ? await planDirectories(line, cluster, asked, options)
      : inOrder(await open.members()).map(unknownNode);
  const isKnown = members.every(({ throughAt }) => throughAt !== null);
  const frees = members.map(({ bytesFreed }) => bytesFreed);
  return {
    name: cluster.name,
    window: asked.window,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    members,
    bytesFreed: frees.includes(null) ? null : frees.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
    throughAt: isKnown ? (members.at(-1)?.throughAt ?? null) : null
  };
}

async function planDirectories(
  line: CommandLine,
  { members }: LocalCluster,
  { window, scavengePoint, threshold, winnowHome }: ClusterPlanAsked,
  options: GlobalOptions
): Promise<PlannedMember[]> {
  const planned: PlannedMember[] = [];
  /** From when the next member may have the nights; null: not known. */
  let nightsFrom: string | null | undefined;
  for (const member of members) {
    const request = {
      ...member,
      scavengePoint,
      ...(threshold !== undefined && { threshold }),
      singleNode: members.length === 1,
      winnowHome,
      window,
      ...(typeof nightsFrom === 'string' && { nightsFrom })
    };
    const node = member.dataDirectory;
    try {
      const report = await line.call('planScavenge', request, options);
      const row = plannedDirectory(node, report, nightsFrom === null);
      row.nights &&= row.nights.map((night) => ({ ...night, member: planned.length + 1 }));
      planned.push(row);
      nightsFrom = nextNight(row, nightsFrom);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      planned.push({ node, kind: 'local', state: null, ...UNKNOWN, why: error.message });
      nightsFrom = null;
    }
  }
  return planned;
}

/** `isWaiting`: it is not known when the members before it are through. */
function plannedDirectory(node: string, report: ScavengeReport, isWaiting: boolean): PlannedMember {
  const { scavengePoint, spaceSavedBytes, window } = report;
  const found = { node, kind: 'local' as const, state: null, ...UNKNOWN };
  if (window === undefined) return { ...found, why: 'It was not planned.' };
  const bytesFreed = scavengePoint === null ? 0 : spaceSavedBytes;
  const { threads, throttlePercent, nights, throughAt, why } = window;
  if (scavengePoint === null) return { ...found, bytesFreed, nights: [], why };
  if (window.rate === null) return { ...found, bytesFreed, why };
  if (isWaiting) {
    const waits = 'It is not known when the members before it are through.';
    return { ...found, bytesFreed, threads, throttlePercent, why: waits };
  }
  return { ...found, bytesFreed, threads, throttlePercent, nights, throughAt, why };
}

/** The next member begins in the night after; one with nothing to do takes none. */
function nextNight(
  { nights, throughAt }: PlannedMember,
  before: string | null | undefined
): string | null | undefined {
  if (before === null || nights === null) return null;
  const last = nights.at(-1);
  if (last === undefined) return before;
  return throughAt === null ? null : last.to;
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
  return { node, kind: 'remote', state, ...UNKNOWN, why };
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
      ? 'It is not known when the last member is through.'
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
