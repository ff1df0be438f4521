/** `winnow fleet`: how all known nodes and clusters stand, each in a line. */
import path from 'node:path';
import type { Command } from 'commander';
import type { BackupsReport } from '../../contract/operations/backup-reports.ts';
import type {
  FleetCluster,
  FleetNode,
  FleetNote,
  FleetReport
} from '../../contract/operations/fleet-reports.ts';
import { EngineError, parseTimeSpan } from '../../../src-core/index.ts';
import { nodeStanding, type StandingNode } from '../../fleet/node-standing.ts';
import { ClusterRegistry, type RegisteredCluster } from '../../settings/cluster-registry.ts';
import { NodeRegistry } from '../../settings/node-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { OpenCluster } from '../cluster/open-cluster.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';

const NOTES: Record<FleetNote, string> = {
  unreadable: 'cannot be read',
  damaged: 'damaged',
  diskFullSoon: 'disk full soon',
  neverScavenged: 'never scavenged',
  noBackup: 'no backup',
  backupNotRehearsed: 'backup not rehearsed',
  backupFailed: 'backup failed',
  notVerified: 'not verified'
};

export function addFleet(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .description(
      'Shows how all nodes and clusters stand that Winnow knows here: health, removable bytes, when the disk is full, last backup and its rehearsal, last verification, next scavenge. Reads no log. Exits with 1 when one needs a look.'
    )
    .argument('[directories...]', 'data directories besides those of the list of nodes')
    .addHelpText('after', '\nExamples:\n  $ winnow fleet\n  $ winnow fleet /data/1 /data/2 --json')
    .action(async (directories: string[], options: GlobalOptions) => {
      const report = await readFleet(directories, options, line);
      if (options.json) await line.writeJson(report);
      else await line.write(fleetText(report, line));
      const isUrgent =
        report.nodes.some(({ needsLook }) => needsLook) ||
        report.clusters.some(
          ({ error, members }) => error !== null || members.some(({ isAlive }) => !isAlive)
        );
      if (isUrgent) line.exitCode = EXIT_FINDINGS;
    });
}

async function readFleet(
  directories: readonly string[],
  options: GlobalOptions,
  line: CommandLine
): Promise<FleetReport> {
  const home = winnowHome(line.parts.environment, process.platform);
  const nowMs = Date.now();
  const registry = new ClusterRegistry(home);
  const clusters = registry.list();
  const nodes = nodesOf(new NodeRegistry(home, () => nowMs), clusters, directories);
  const engine = await line.engine();
  const listed = new Map<string, Promise<BackupsReport>>();
  const backupsIn = (target: string, endpoint: string | undefined): Promise<BackupsReport> => {
    const key = JSON.stringify([target, endpoint]);
    const s3 = endpoint === undefined ? {} : { s3Endpoint: endpoint };
    const backups = listed.get(key) ?? engine.call('listBackups', { target, ...s3 }, { signal: line.signal });
    listed.set(key, backups);
    return backups;
  };
  const standings: FleetNode[] = [];
  for (const { node, cluster } of nodes) {
    const parts = { engine, backupsIn, winnowHome: home, nowMs, cluster, signal: line.signal };
    standings.push(await nodeStanding(node, parts));
  }
  const asked: FleetCluster[] = [];
  for (const cluster of clusters)
    asked.push(await clusterStanding(cluster, standings, { registry, options, line, nowMs }));
  return { at: new Date(nowMs).toISOString(), nodes: standings, clusters: asked };
}

interface Listed {
  node: StandingNode;
  cluster: string | null;
}

/** Those of the list, members of local clusters that are not in it, and those that were named; each directory once. */
function nodesOf(
  registry: NodeRegistry,
  clusters: readonly RegisteredCluster[],
  directories: readonly string[]
): Listed[] {
  const clusterOf = new Map<string, string>();
  const listed = new Map<string, Listed>();
  const add = (node: StandingNode): void => {
    const key = path.resolve(node.dataDirectory);
    if (!listed.has(key)) listed.set(key, { node, cluster: clusterOf.get(key) ?? null });
  };
  for (const cluster of clusters) {
    if (cluster.kind !== 'local') continue;
    for (const { dataDirectory } of cluster.members) clusterOf.set(path.resolve(dataDirectory), cluster.name);
  }
  for (const node of registry.list()) add(node);
  for (const cluster of clusters) {
    if (cluster.kind !== 'local') continue;
    for (const member of cluster.members) add({ name: path.basename(member.dataDirectory), ...member });
  }
  for (const directory of directories) {
    add({ name: path.basename(path.resolve(directory)), dataDirectory: path.resolve(directory) });
  }
  return [...listed.values()];
}

interface ClusterParts {
  registry: ClusterRegistry;
  options: GlobalOptions;
  line: CommandLine;
  nowMs: number;
}

async function clusterStanding(
  { name, kind }: RegisteredCluster,
  standings: readonly FleetNode[],
  { registry, options, line, nowMs }: ClusterParts
): Promise<FleetCluster> {
  try {
    const open = new OpenCluster(line, registry, name, { ...options, quiet: true });
    const members =
      kind === 'local'
        ? standings.filter(({ cluster }) => cluster === name).map(memberOf)
        : (await open.members()).map(({ node, state, isAlive, writerCheckpoint, error }) => ({
            node,
            state,
            isAlive,
            writerCheckpoint,
            error: error ?? null
          }));
    return {
      name,
      kind,
      error: null,
      members,
      nextScavenge: nextScavengeOf(await open.schedule('status'), nowMs)
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, remedy } = error;
    return { name, kind, error: { code, message, remedy }, members: [], nextScavenge: null };
  }
}

/** A member that is a directory, as its node stands. */
function memberOf({
  dataDirectory,
  error,
  inUse,
  writerCheckpoint
}: FleetNode): FleetCluster['members'][number] {
  return {
    node: dataDirectory,
    state: error ? 'Unreadable' : inUse === null ? 'Stopped' : 'InUse',
    isAlive: !error,
    writerCheckpoint,
    error: error?.message ?? null
  };
}

/** From the span until the next cycle, `[d.]hh:mm:ss`, which servers and our coordinator answer with. */
function nextScavengeOf(status: unknown, nowMs: number): string | null {
  const { timeUntilNextCycle: span } = (status ?? {}) as Record<string, unknown>;
  const ticks = typeof span === 'string' ? parseTimeSpan(span) : undefined;
  return ticks === undefined ? null : new Date(nowMs + Number(ticks / 10_000n)).toISOString();
}

function fleetText({ nodes, clusters }: FleetReport, line: CommandLine): string {
  const { colours } = line;
  if (nodes.length === 0 && clusters.length === 0) {
    return 'No node is known here. Name data directories, or open them in the window; register clusters with "winnow cluster register".\n';
  }
  const bytes = (value: number | null) => (value === null ? '?' : formatBytes(value));
  let text = '';
  if (nodes.length > 0) {
    text += formatTable(
      [
        { title: 'node' },
        { title: 'health' },
        { title: 'log', align: 'right' },
        { title: 'removable', align: 'right' },
        { title: 'free', align: 'right' },
        { title: 'disk full' },
        { title: 'last scavenge' },
        { title: 'last backup' },
        { title: 'rehearsed' },
        { title: 'verified', align: 'right' },
        { title: 'look at' }
      ],
      nodes.map((node) => [
        visibleText(node.cluster === null ? node.name : `${node.cluster}/${node.name}`),
        node.error ? 'not known' : (node.health?.state ?? '?'),
        bytes(node.logBytes),
        bytes(node.removableBytes),
        bytes(node.freeBytes),
        diskFullText(node.diskFull),
        node.lastScavengedFrom === 'never' ? 'never' : dayOf(node.lastScavenged),
        node.backupTarget === null
          ? ''
          : node.backupError
            ? 'not known'
            : dayOf(node.lastBackup?.endedAt, 'none'),
        node.lastBackup ? dayOf(node.lastBackup.rehearsedAt, 'never') : '',
        shareOf(node),
        node.notes.map((note) => NOTES[note]).join(', ')
      ]),
      colours
    );
    for (const { name, dataDirectory, growthUnknown } of nodes) {
      if (growthUnknown === null) continue;
      const because = GROWTH_UNKNOWN[growthUnknown](visibleText(dataDirectory));
      text += `${visibleText(name)}: ${colours.dim(because)}\n`;
    }
    for (const { name, error, backupError } of nodes) {
      for (const failure of [error, backupError]) {
        if (failure) text += `${visibleText(name)}: ${colours.yellow(failure.message)} ${failure.remedy}\n`;
      }
    }
  }
  if (clusters.length > 0) {
    text += `${text === '' ? '' : '\n'}${formatTable(
      [
        { title: 'cluster' },
        { title: 'members' },
        { title: 'answer', align: 'right' },
        { title: 'next scavenge' }
      ],
      clusters.map(({ name, members, error, nextScavenge }) => [
        visibleText(name),
        error ? 'not known' : members.map(({ state }) => state).join(', '),
        error ? '?' : `${members.filter(({ isAlive }) => isAlive).length} of ${members.length}`,
        dayOf(nextScavenge, 'none')
      ]),
      colours
    )}`;
    for (const { name, error } of clusters) {
      if (error) text += `${visibleText(name)}: ${colours.yellow(error.message)} ${error.remedy}\n`;
    }
  }
  return text;
}

const GROWTH_UNKNOWN: Readonly<
  Record<NonNullable<FleetNode['growthUnknown']>, (directory: string) => string>
> = {
  notRead: (directory) =>
    `When the disk is full is not known: its log has not been read yet. "winnow forecast ${directory}" reads it once.`,
  tooShort: () => 'When the disk is full is not known: its log tells of too short a time.'
};

function diskFullText(full: FleetNode['diskFull']): string {
  if (full === null) return '?';
  return full.withoutScavenges === null ? 'not soon' : full.withoutScavenges.at.slice(0, 10);
}

function dayOf(time: string | null | undefined, otherwise = '?'): string {
  return time == null ? otherwise : time.slice(0, 10);
}

/** Rounded down: a part is never the whole. */
function shareOf({ coverage }: FleetNode): string {
  if (!coverage) return '?';
  if (coverage.isWhole) return '100 %';
  return `${Math.floor(Math.min(0.99, coverage.verifiedBytes / Math.max(1, coverage.bytes)) * 100)} %`;
}
