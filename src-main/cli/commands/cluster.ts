/** `winnow cluster …`: the members of registered clusters, directories of stopped nodes or running nodes. */
import path from 'node:path';
import { Option, type Command } from 'commander';
import {
  CHOSEN_PLACEMENTS,
  decodeQuietHours,
  formatQuietHours,
  invalidRequest,
  parseCron,
  nextTimes,
  PLACEMENTS_WITHOUT_WRITE,
  quietHoursOf,
  quietOutside,
  quietWindowAt,
  TimeZone,
  type ChosenPlacement,
  type PlacementWithoutWrite,
  type QuietHours
} from '../../../src-core/index.ts';
import { storePassword } from '../../cluster/cluster-credentials.ts';
import { systemTimeZone } from '../../cluster/cluster-parts.ts';
import { readCertificateAuthority } from '../../settings/certificate-file.ts';
import { ClusterRegistry, type RegisteredCluster } from '../../settings/cluster-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import type { AutoScavengeCall } from '../../cluster/auto-scavenge.ts';
import type { CommandLine } from '../command-line.ts';
import { clusterPlanText, planCluster } from '../cluster/cluster-plan.ts';
import { confirmed, isDryRun, type WriteOptions } from '../confirmation.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { readPassword } from '../password-input.ts';
import { OpenCluster, type StatusMember } from '../../cluster/open-cluster.ts';
import { formatTable } from '../tables.ts';
import { withWriteOptions } from '../write-options.ts';

interface RegisterOptions extends WriteOptions {
  user?: string;
  passwordStdin?: boolean;
  ca?: string;
  clusterSize?: number;
}

interface ScavengeOptions extends WriteOptions {
  scavengePoint?: ChosenPlacement;
  threshold?: number;
}

interface PlanOptions extends GlobalOptions {
  window: string;
  scavengePoint: PlacementWithoutWrite;
  threshold?: number;
}

interface QuietHoursOptions extends WriteOptions {
  window?: string;
  from?: string;
  to?: string;
  days?: string;
  off?: boolean;
}

export function addCluster(cluster: Command, line: CommandLine): void {
  cluster
    .description('Scavenges the members of a cluster one after another, the leader last.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow cluster register trio /data/1 /data/2 /data/3\n  $ winnow cluster scavenge trio --yes'
    );
  const command = (words: string, summary: string): Command =>
    withGlobalOptions(cluster.command(words).summary(summary).description(`${summary}.`));

  withWriteOptions(
    command(
      'register <name> <members...>',
      'Registers a cluster: data directories, or addresses of running nodes'
    )
  )
    .option('--user <name>', 'user of the nodes (remote)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .option('--ca <file>', 'certificate authority of the nodes (PEM)')
    .option('--cluster-size <number>', 'number of full members of the cluster (remote)', wholeNumber(1))
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow cluster register trio /data/1 /data/2 /data/3\n' +
        '  $ winnow cluster register live https://node-1:2113 --cluster-size 3 --user ops'
    )
    .action(async (name: string, members: string[], options: RegisterOptions) => {
      const registered = describeCluster(name, members, options);
      line.say(`Register "${name}": ${members.join(', ')}.\n`);
      if (await isDryRun(line, options, { clusters: [registered] })) return;
      await confirmed(line, options, `Register the cluster "${name}"?`);
      const registry = registryOf(line);
      if (registered.kind === 'remote' && registered.user !== undefined) {
        storePassword(registered, registry, await readPassword(line, options.passwordStdin === true));
      }
      registry.register(registered);
      const access = await triedAccess(line, name, options);
      if (options.json) await line.writeJson({ clusters: registry.list(), ...access });
    });

  withWriteOptions(
    command('add-node <name> <members...>', 'Adds members to a cluster: directories, or addresses')
  )
    .option('--cluster-size <number>', 'new number of full members of the cluster (remote)', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  $ winnow cluster add-node live https://node-4:2113 --cluster-size 5')
    .action(async (name: string, members: string[], options: RegisterOptions) => {
      const registry = registryOf(line);
      const registered = withMembers(registry.get(name), members, options.clusterSize);
      line.say(`Add to "${name}": ${members.join(', ')}.\n`);
      if (await isDryRun(line, options, { clusters: [registered] })) return;
      await confirmed(line, options, `Add to the cluster "${name}"?`);
      registry.register(registered);
      const access = await triedAccess(line, name, options);
      if (options.json) await line.writeJson({ clusters: registry.list(), ...access });
    });

  command('list', 'Lists the registered clusters')
    .addHelpText('after', '\nExample:\n  $ winnow cluster list')
    .action(async (options: GlobalOptions) => {
      const clusters = registryOf(line).list();
      if (options.json) await line.writeJson({ clusters });
      else if (clusters.length === 0) await line.write('No cluster is registered.\n');
      else {
        const rows = clusters.map((one) => [one.name, one.kind, placesOf(one).join(', ')]);
        await line.write(
          formatTable([{ title: 'cluster' }, { title: 'kind' }, { title: 'members' }], rows, line.colours)
        );
      }
    });

  command('status <name>', 'Shows the members and the schedule of a cluster')
    .addHelpText('after', '\nExample:\n  $ winnow cluster status live --json')
    .action(async (name: string, options: GlobalOptions) => {
      const open = new OpenCluster(line, registryOf(line), name, options);
      const members = await open.members();
      const autoScavenge = await open.schedule('status');
      const hint = scheduleHint(open.cluster, autoScavenge);
      if (options.json) await line.writeJson({ name, members, autoScavenge, ...hint });
      else await line.write(memberTable(line, members) + statusText(autoScavenge, hint));
    });

  command('plan <name>', 'Plans the scavenges of all members in a maintenance window, one after another')
    .requiredOption('--window <times>', 'the maintenance window, such as 02:00-04:00 (local time)')
    .addOption(
      new Option('--scavenge-point <placement>', 'placement of the point (local members)')
        .choices(PLACEMENTS_WITHOUT_WRITE)
        .default('detached')
    )
    .option('--threshold <weight>', 'rewrite only chunks with at least this weight', wholeNumber(-1))
    .addHelpText('after', '\nExample:\n  $ winnow cluster plan trio --window 02:00-04:00')
    .action(async (name: string, options: PlanOptions) => {
      const open = new OpenCluster(line, registryOf(line), name, options);
      const { window, scavengePoint, threshold } = options;
      quietOutside(window);
      const home = winnowHome(line.parts.environment, process.platform);
      const plan = await planCluster(
        line,
        open,
        { window, scavengePoint, ...(threshold !== undefined && { threshold }), winnowHome: home },
        options
      );
      if (options.json) await line.writeJson(plan);
      else await line.write(clusterPlanText(plan, line));
    });

  withWriteOptions(command('scavenge <name>', 'Scavenges all members now, one after another'))
    .addOption(
      new Option('--scavenge-point <placement>', 'placement of the point (local members)')
        .choices(CHOSEN_PLACEMENTS)
        .default('detached')
    )
    .option('--threshold <weight>', 'rewrite only chunks with at least this weight', wholeNumber(-1))
    .addHelpText('after', '\nExample:\n  $ winnow cluster scavenge trio --yes')
    .action(async (name: string, options: ScavengeOptions) => {
      const open = new OpenCluster(line, registryOf(line), name, options);
      line.say(`Scavenge "${name}", one member after another: ${placesOf(open.cluster).join(', ')}.\n`);
      const placement = options.scavengePoint ?? 'detached';
      if (options.dryRun && placement === 'new') await open.previewPoint();
      if (await isDryRun(line, options, { name, members: placesOf(open.cluster).map((node) => ({ node })) }))
        return;
      await confirmed(line, options, `Scavenge all members of "${name}"?`);
      const end = await open.scavenge(placement, options.threshold);
      if (end.isStopped) line.exitCode = EXIT_STOPPED;
      if (end.stillStopping !== undefined) {
        line.warn(`${end.stillStopping} "winnow cluster stop ${name}" sends the request again.`, options);
      }
      const result = end.isStopped ? 'stopped' : 'success';
      if (options.json) {
        const members = end.done.map((member) => ({ ...member, result: inCamelCase(member.result) }));
        await line.writeJson({ name, result, members });
      } else {
        const rows = end.done.map(({ node, result: outcome }) => [node, outcome]);
        await line.write(formatTable([{ title: 'member' }, { title: 'result' }], rows, line.colours));
      }
    });

  withWriteOptions(command('stop <name>', 'Stops the node scavenges of a cluster and pauses its cycle'))
    .addHelpText('after', '\nExample:\n  $ winnow cluster stop live --yes')
    .action(async (name: string, options: WriteOptions) => {
      const open = new OpenCluster(line, registryOf(line), name, options);
      line.say(`Stop the scavenges on the members of "${name}".\n`);
      if (await isDryRun(line, options, { name })) return;
      await confirmed(line, options, `Stop the scavenges of "${name}"?`);
      // Pause first: otherwise the next member would start as soon as one is stopped.
      const autoScavenge = await open.schedule('pause');
      const stopped = await open.stopMembers();
      if (options.json) await line.writeJson({ name, autoScavenge, stopped });
      else
        await line.write(
          stopped.length === 0 ? 'No scavenge was running.\n' : `Stopped: ${stopped.join(', ')}.\n`
        );
    });

  withWriteOptions(
    command(
      'auto-scavenge <name> [action] [schedule]',
      'Shows, pauses, resumes or configures (with a CRON expression) the schedule of a cluster, or skips its next cycle'
    )
  )
    .addHelpText('after', "\nExample:\n  $ winnow cluster auto-scavenge live configure '0 3 * * sun'")
    .action(
      async (
        name: string,
        action: string | undefined,
        schedule: string | undefined,
        options: WriteOptions
      ) => {
        const open = new OpenCluster(line, registryOf(line), name, options);
        const call = calledAction(action ?? 'status', schedule);
        if (call !== 'status') {
          if (schedule !== undefined) {
            for (const warning of parseCron(schedule).warnings) line.warn(warning, options);
          }
          line.say(
            `Auto-scavenge of "${name}": ${action}${schedule === undefined ? '' : ` "${schedule}"`}.\n`
          );
          if (await isDryRun(line, options, { name, action, ...(schedule !== undefined && { schedule }) }))
            return;
          await confirmed(line, options, 'Change the schedule?');
        }
        const answer = await open.schedule(call);
        if (schedule !== undefined) warnOfMissedTimes(line, answer, options);
        const hint = scheduleHint(open.cluster, answer);
        if (options.json) await line.writeJson({ name, autoScavenge: answer, ...hint });
        else await line.write(statusText(answer, hint));
      }
    );

  withWriteOptions(
    command('quiet-hours <name>', 'Sets the hours in which no scheduled scavenge of a cluster runs')
  )
    .option('--from <time>', 'start time, such as 08:00')
    .option('--to <time>', 'end time; if at or before the start: on the next day')
    .option('--days <days>', 'days on which they start, such as mon-fri or sat,sun (default: all)')
    .option(
      '--window <times>',
      'only work in this maintenance window, such as 02:00-04:00: quiet hours are all others'
    )
    .option('--off', 'no quiet hours, even if the settings name some')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow cluster quiet-hours trio --from 08:00 --to 20:00 --days mon-fri\n' +
        '  $ winnow cluster quiet-hours trio --window 02:00-04:00\n' +
        '  $ winnow cluster quiet-hours trio --off'
    )
    .action(async (name: string, options: QuietHoursOptions) => {
      const open = new OpenCluster(line, registryOf(line), name, options);
      const quietHours = askedQuietHours(options);
      line.say(`Quiet hours of "${name}": ${quietHours === null ? 'none' : formatQuietHours(quietHours)}.\n`);
      if (await isDryRun(line, options, { name, quietHours })) return;
      await confirmed(line, options, 'Change the quiet hours?');
      const answer = await open.schedule({ quietHours });
      warnOfMissedTimes(line, answer, options);
      if (options.json) await line.writeJson({ name, autoScavenge: answer });
      else await line.write(statusText(answer));
    });
}

/** Enumerations in our JSON are in camelCase; the word comes from a server's history. */
function inCamelCase(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

function askedQuietHours({ from, to, days, off, window }: QuietHoursOptions): QuietHours | null {
  if (window !== undefined && from === undefined && to === undefined && days === undefined && off !== true)
    return quietOutside(window);
  const isGiven = from !== undefined || to !== undefined || days !== undefined;
  if (off === true && !isGiven) return null;
  if (window === undefined && off !== true && from !== undefined && to !== undefined)
    return quietHoursOf({ from, to, ...(days !== undefined && { days }) });
  throw invalidRequest(
    'Quiet hours need a start and an end, a window, or --off.',
    '--from',
    'Give --from and --to, optionally with --days, or only --window, or only --off.'
  );
}

/** Occurrences that are looked at: a year of days. */
const MOST_TIMES = 366;

/** A time inside quiet hours is not caught up: a schedule that has no other never begins. */
function warnOfMissedTimes(line: CommandLine, status: unknown, options: GlobalOptions): void {
  const { schedule, quietHours, timeZone } = (status ?? {}) as Record<string, unknown>;
  const quiet = decodeQuietHours(quietHours);
  if (typeof schedule !== 'string' || quiet === undefined) return;
  const zone = new TimeZone(typeof timeZone === 'string' ? timeZone : systemTimeZone());
  const asked = { fromMs: Date.now(), timeZone: zone.name, count: MOST_TIMES };
  const times = nextTimes(parseCron(schedule), asked);
  if (times.length === 0 || times.some((ms) => quietWindowAt(quiet, zone, ms) === undefined)) return;
  line.warn(
    `No time of the schedule ${schedule} is outside the quiet hours ${formatQuietHours(quiet)}: no cycle ever begins. ` +
      'Choose one that is, such as the beginning of the maintenance window.',
    options
  );
}

function calledAction(action: string, schedule: string | undefined): AutoScavengeCall {
  if (action === 'status' || action === 'pause' || action === 'resume' || action === 'skip') return action;
  if (action === 'configure' && schedule !== undefined) return { schedule };
  throw invalidRequest(
    `"${action}" ${action === 'configure' ? 'needs a CRON expression' : 'is not an action of a schedule'}.`,
    'action',
    'Use status, pause, resume, skip, or configure with a CRON expression of five fields.'
  );
}

function describeCluster(name: string, members: string[], options: RegisterOptions): RegisteredCluster {
  const urls = members.filter((member) => ADDRESS.test(member));
  const authority = options.ca === undefined ? undefined : path.resolve(options.ca);
  if (authority !== undefined) readCertificateAuthority(authority, '--ca');
  if (urls.length === 0) {
    return {
      kind: 'local',
      name,
      members: members.map((member) => ({ dataDirectory: path.resolve(member) }))
    };
  }
  if (urls.length < members.length) {
    throw invalidRequest(
      'The members of a cluster are either directories or addresses, not both.',
      'members',
      'Register the stopped nodes as a separate cluster.'
    );
  }
  for (const url of urls) {
    if (URL.canParse(url)) continue;
    throw invalidRequest(
      `"${url}" is not an address.`,
      'members',
      'Write it like https://node-1.example:2113.'
    );
  }
  if (options.clusterSize === undefined) {
    throw invalidRequest(
      'The size of the cluster is not given.',
      '--cluster-size',
      'Give the ClusterSize of its nodes.'
    );
  }
  return {
    kind: 'remote',
    name,
    urls,
    clusterSize: options.clusterSize,
    ...(options.user === undefined ? {} : { user: options.user }),
    ...(authority === undefined ? {} : { certificateAuthorityFile: authority })
  };
}

/** The cluster with the added members; throws InvalidRequest for members of the other kind. */
function withMembers(
  cluster: RegisteredCluster,
  members: string[],
  clusterSize: number | undefined
): RegisteredCluster {
  if (cluster.kind === 'remote') {
    const added = describeCluster(cluster.name, members, { clusterSize: clusterSize ?? cluster.clusterSize });
    if (added.kind === 'remote') {
      return {
        ...cluster,
        urls: [...new Set([...cluster.urls, ...added.urls])],
        clusterSize: added.clusterSize
      };
    }
  } else if (members.every((member) => !ADDRESS.test(member))) {
    const known = new Set(placesOf(cluster));
    const added = members.map((member) => path.resolve(member)).filter((place) => !known.has(place));
    return {
      ...cluster,
      members: [...cluster.members, ...added.map((dataDirectory) => ({ dataDirectory }))]
    };
  }
  const has = cluster.kind === 'remote' ? 'addresses of running nodes' : 'directories of stopped nodes';
  throw invalidRequest(
    `The members of "${cluster.name}" are ${has}.`,
    'members',
    'Add members of the same kind.'
  );
}

/** Tries to reach the members and says what is wrong. Only a hint: nodes may be registered before they are started. */
async function triedAccess(
  line: CommandLine,
  name: string,
  options: GlobalOptions
): Promise<{ access?: { node: string; ok: boolean; reason: string | null }[] }> {
  const tried = await new OpenCluster(line, registryOf(line), name, options).tryAccess();
  for (const { node, fault } of tried) {
    if (fault) line.warn(`${node} ${fault.reason}. ${fault.remedy}`, options);
  }
  if (tried.length === 0) return {};
  return {
    access: tried.map(({ node, fault }) => ({ node, ok: fault === undefined, reason: fault?.reason ?? null }))
  };
}

const ADDRESS = /^https?:\/\//;

function placesOf(cluster: RegisteredCluster): string[] {
  return cluster.kind === 'remote' ? cluster.urls : cluster.members.map(({ dataDirectory }) => dataDirectory);
}

function registryOf(line: CommandLine): ClusterRegistry {
  return new ClusterRegistry(winnowHome(line.parts.environment, process.platform));
}

function memberTable(line: CommandLine, members: StatusMember[]): string {
  const rows = members.map(({ node, state, isAlive, writerCheckpoint, scavengeId, error }) => [
    node,
    isAlive ? state : `${state} (dead)`,
    writerCheckpoint === null ? '' : writerCheckpoint.toLocaleString('en-US'),
    error ?? scavengeId ?? ''
  ]);
  const columns = [
    { title: 'member' },
    { title: 'state' },
    { title: 'writer', align: 'right' as const },
    { title: 'scavenge' }
  ];
  return formatTable(columns, rows, line.colours);
}

/** How to get a process to run the schedule; empty if one does, or if there is no schedule. */
function scheduleHint(cluster: RegisteredCluster, status: unknown): { hint?: string } {
  const { state, by, coordinator } = (status ?? {}) as Record<string, unknown>;
  if (by === 'cluster' || coordinator !== null || state === 'NotConfigured') return {};
  const placement =
    cluster.kind === 'local' && cluster.members.length > 1 ? ' --scavenge-point detached' : '';
  return {
    hint:
      'No process runs this schedule now. The window runs it while it is open; ' +
      `"winnow serve --cluster ${cluster.name}${placement}" runs it without a window. Both need a licence ` +
      '(--licensing:license-file FILE, or "evaluation").'
  };
}

function statusText(status: unknown, { hint }: { hint?: string } = {}): string {
  const { state, schedule, timeUntilNextCycle, by } = (status ?? {}) as Record<string, unknown>;
  if (typeof state !== 'string') return '';
  const next = typeof timeUntilNextCycle === 'string' ? `, next cycle in ${timeUntilNextCycle}` : '';
  const quiet = quietText(status);
  const whose = by === 'cluster' ? " (the cluster's own)" : '';
  const { coordinator } = status as { coordinator?: { pid: number; url: string | null } | null };
  const where = coordinator ? `; run by process ${coordinator.pid}` : '';
  const said = `auto-scavenge${whose}: ${state}${typeof schedule === 'string' ? `, ${schedule}` : ''}${next}${quiet}${where}\n`;
  return hint === undefined ? said : `${said}${hint}\n`;
}

function quietText(status: unknown): string {
  const { quietHours, pausedBy } = (status ?? {}) as Record<string, unknown>;
  const decoded = decodeQuietHours(quietHours);
  if (decoded === undefined) return '';
  const whose = pausedBy === 'quietHours' ? ', paused now' : '';
  return `; quiet hours ${formatQuietHours(decoded)}${whose}`;
}
