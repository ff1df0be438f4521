/** `winnow backup …`: backups of a node, and their catalogue. */
import { Option, type Command } from 'commander';
import { invalidRequest } from '../../../../src-core/index.ts';
import { splitBackupName } from '../../../backup/open-target.ts';
import type { RequestOf } from '../../../contract/operations/operation-contract.ts';
import { readCertificateAuthority } from '../../../settings/certificate-file.ts';
import { winnowHome } from '../../../settings/winnow-home.ts';
import {
  backupPlanText,
  backupTable,
  notesText,
  pruneText,
  verifiedAllText,
  verifiedText
} from '../../backup-text.ts';
import { formatBytes, parseByteSize, formatNoun } from '../../byte-size.ts';
import type { CommandLine } from '../../command-line.ts';
import { addBackupKey } from './backup-key.ts';
import { addBackupSchedule } from './backup-schedule.ts';
import { addBackupRehearse } from './backup-rehearse.ts';
import { addBackupRekey } from './backup-rekey.ts';
import { addBackupScavenge } from './backup-scavenge.ts';
import { confirmed, type WriteOptions } from '../../confirmation.ts';
import { EXIT_FINDINGS } from '../../exit-codes.ts';
import {
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  withGlobalOptions,
  type DatabaseOptions,
  type GlobalOptions
} from '../../global-options.ts';
import { readPassword } from '../../password-input.ts';
import {
  encodingRequest,
  openingAccess,
  targetAccess,
  withEncodingOptions,
  withOpeningOptions,
  withStoreOption,
  withVerifyKey,
  type EncodingOptions,
  type ReadingOptions,
  type TargetOptions
} from '../../target-options.ts';
import { visibleText } from '../../visible-text.ts';
import { chosenPlan, withPlanOption, withWriteOptions, type PlannedOptions } from '../../write-options.ts';

interface CopyOptions extends EncodingOptions {
  threads?: number;
  throttle?: number;
}

interface CreateOptions extends DatabaseOptions, WriteOptions, CopyOptions {
  to: string;
  mode: 'full' | 'differential' | 'auto';
  moved?: boolean;
  nodeUrl?: string;
  user?: string;
  passwordStdin?: boolean;
  nodeCa?: string;
  stopScavenge?: boolean;
}

interface PruneOptions extends PlannedOptions, TargetOptions {
  keepLast: number;
  keepDaily: number;
  keepWeekly: number;
  keepMonthly: number;
  unfinished?: boolean;
  signKey?: string;
  acceptMissing?: boolean;
}

interface VerifyOptions extends GlobalOptions, ReadingOptions {
  quick?: boolean;
  all?: boolean;
}

interface AdoptOptions extends WriteOptions, CopyOptions {
  from: string;
  index?: string;
}

/** Upper limit of `--threads`: more threads only compete for the disk. */
const MAX_THREADS = 64;

export function addBackup(backup: Command, line: CommandLine): void {
  backup
    .description('Backups of a node, stopped or running, and their catalogue.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow backup create /var/lib/kurrentdb --to /backups --yes\n  $ winnow backup list /backups'
    );
  addCreate(backup, line);
  addList(backup, line);
  addVerify(backup, line);
  addPrune(backup, line);
  addAdopt(backup, line);
  addBackupRehearse(backup, line);
  addBackupScavenge(backup, line);
  addBackupRekey(backup, line);
  addBackupKey(backup, line);
  addBackupSchedule(backup, line);
}

function addCreate(backup: Command, line: CommandLine): void {
  withCopyOptions(
    withWriteOptions(withDatabaseOptions(backup.command('create').summary('take a backup of a node')))
  )
    .description(
      'Copies a database, stopped or running, into its own folder in the target. A differential backup copies what is ' +
        'new and shares the rest with the previous one; each can be restored by itself. The next run resumes a killed one.'
    )
    .requiredOption('--to <target>', 'the directory to keep backups in, or s3://BUCKET/PREFIX')
    .addOption(
      new Option('--mode <mode>', 'auto: differential if there is a backup to base it on')
        .choices(['full', 'differential', 'auto'])
        .default('auto')
    )
    .option('--moved', 'the node is the same, but its directory or address has changed')
    .option('--node-url <url>', 'the running server, to check its role, lag and scavenges')
    .option('--user <name>', 'server user with the role $ops or $admins')
    .option('--password-stdin', 'read its password from stdin (else: WINNOW_NODE_PASSWORD)')
    .option('--node-ca <file>', "certificate authority of the server's certificate (PEM)")
    .option('--stop-scavenge', "stop the server's scavenge, and start it again afterwards")
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow backup create /var/lib/kurrentdb --to /backups --yes\n' +
        '  $ winnow backup create /var/lib/kurrentdb --to /backups --node-url https://node1:2113 --user ops --yes\n' +
        '  $ winnow backup create /var/lib/kurrentdb --to s3://backups/node1 --compress --key-file node1.key --yes'
    )
    .action(async (db: string | undefined, options: CreateOptions) => {
      const request = await createRequest(db, options, line);
      if (options.dryRun || !options.yes) {
        const plan = await line.call('planBackup', request, { ...options, quiet: true });
        if (options.dryRun && options.json) await line.writeJson({ dryRun: true, ...plan });
        else if (options.dryRun) await line.write(backupPlanText(plan, line.colours));
        else line.say(backupPlanText(plan, line.colours));
      }
      if (options.dryRun) return;
      await confirmed(line, options, 'Take this backup?');
      const report = await line.call('createBackup', request, options);
      if (options.json) {
        await line.writeJson(report);
        return;
      }
      const [made] = report.backups;
      if (!made) return;
      await line.write(
        `Backup ${made.id} (${made.mode}) in ${visibleText(report.target)}: ${formatNoun(made.fileCount, 'file')}, ` +
          `${formatBytes(made.bytes)}, ${formatBytes(made.bytesCopied)} copied.\n${notesText(made.notes, line.colours)}`
      );
    });
}

async function createRequest(
  db: string | undefined,
  options: CreateOptions,
  line: CommandLine
): Promise<RequestOf<'createBackup'>> {
  const { location } = namedDatabase(db, options);
  return {
    ...location,
    target: options.to,
    mode: options.mode,
    moved: options.moved === true,
    stopScavenge: options.stopScavenge === true,
    winnowHome: winnowHome(line.parts.environment, process.platform),
    ...copyRequest(options),
    ...optional('node', await nodeRequest(options, line))
  };
}

async function nodeRequest(
  options: CreateOptions,
  line: CommandLine
): Promise<RequestOf<'createBackup'>['node']> {
  const { nodeUrl, user } = options;
  if (nodeUrl === undefined) {
    const named = (['user', 'nodeCa', 'stopScavenge'] as const).find((name) => options[name] !== undefined);
    if (named === undefined) return undefined;
    throw invalidRequest(
      'No server is named.',
      '--node-url',
      'Give the address of the server: --node-url URL.'
    );
  }
  const password = user === undefined ? undefined : await passwordOf(options, line);
  return {
    url: nodeUrl,
    ...optional('user', user),
    ...optional('password', password),
    ...optional(
      'ca',
      options.nodeCa === undefined ? undefined : readCertificateAuthority(options.nodeCa, '--node-ca')
    )
  };
}

/** Never from an argument: other users can see those. */
async function passwordOf(options: CreateOptions, line: CommandLine): Promise<string> {
  if (options.passwordStdin) return readPassword(line, true);
  const password = line.parts.environment['WINNOW_NODE_PASSWORD'];
  if (password !== undefined) return password;
  throw invalidRequest(
    'A user is named without a password.',
    '--user',
    'Give the password in the environment as WINNOW_NODE_PASSWORD, or on stdin with --password-stdin.'
  );
}

function addList(backup: Command, line: CommandLine): void {
  withVerifyKey(
    withStoreOption(withGlobalOptions(backup.command('list').summary('list the backups in a target')))
  )
    .argument('<target>', 'a directory, or s3://BUCKET/PREFIX')
    .description('Lists the intact backups and names the unfinished and the damaged ones.')
    .addHelpText('after', '\nExample:\n  $ winnow backup list /backups')
    .action(async (target: string, options: GlobalOptions & TargetOptions) => {
      const report = await line.call('listBackups', { target, ...targetAccess(options) }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(backupTable(report, line.colours));
    });
}

function addVerify(backup: Command, line: CommandLine): void {
  withVerifyKey(
    withOpeningOptions(
      withGlobalOptions(backup.command('verify').summary('check every byte of a backup against its manifest'))
    )
  )
    .argument('<target[@id]>', 'the target, and the backup in it (default: the newest)')
    .description(
      'Reads every file of a backup and compares it with the manifest, and checks that the positions agree. Exits ' +
        'with 1 on damage. Without --key-file an encrypted backup is checked as it is stored.'
    )
    .option('--quick', 'names, sizes and positions only')
    .option('--all', 'every backup of the target')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow backup verify /backups@20261121T050000Z-4f2a\n  $ winnow backup verify /backups --all'
    )
    .action(async (name: string, options: VerifyOptions) => {
      const { location, id } = splitBackupName(name);
      const place = {
        target: location,
        quick: options.quick === true,
        ...(await openingAccess(options, line))
      };
      if (options.all === true) {
        if (id !== undefined) {
          throw invalidRequest('--all and the id of one backup are both given.', '--all', 'Leave out @ID.');
        }
        const report = await line.call('verifyAllBackups', place, options);
        if (!report.ok) line.exitCode = EXIT_FINDINGS;
        if (options.json) await line.writeJson(report);
        else await line.write(verifiedAllText(report, line.colours));
        return;
      }
      const request = { ...place, ...optional('id', id) };
      const report = await line.call('verifyBackup', request, options);
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(verifiedText(report, line.colours));
    });
}

function addPrune(backup: Command, line: CommandLine): void {
  const count = wholeNumber(0);
  withVerifyKey(
    withStoreOption(
      withPlanOption(withGlobalOptions(backup.command('prune').summary('remove backups that no rule keeps')))
    )
  )
    .argument('<target>', 'a directory, or s3://BUCKET/PREFIX')
    .description(
      'Keeps the last N backups and the last one of each of N days, weeks and months (UTC), and removes the others. ' +
        'Counts each node of a cluster separately; the backup with the longest log of each node always stays.'
    )
    .option('--keep-last <n>', 'keep the last N backups', count, 0)
    .option('--keep-daily <n>', 'keep the last one of each of N days', count, 0)
    .option('--keep-weekly <n>', 'keep the last one of each of N weeks', count, 0)
    .option('--keep-monthly <n>', 'keep the last one of each of N months', count, 0)
    .option('--unfinished', 'also remove the unfinished backup that the next run would resume')
    .option('--sign-key <file>', 'the secret key of signed backups (else: WINNOW_BACKUP_SIGN_KEY)')
    .option('--accept-missing', 'accept that signed backups are missing that another program removed')
    .addHelpText(
      'after',
      '\nExample:\n  $ winnow backup prune /backups --keep-last 3 --keep-daily 14 --dry-run'
    )
    .action(async (target: string, options: PruneOptions) => {
      const request = {
        target,
        retention: {
          last: options.keepLast,
          daily: options.keepDaily,
          weekly: options.keepWeekly,
          monthly: options.keepMonthly
        },
        unfinished: options.unfinished === true,
        acceptMissing: options.acceptMissing === true,
        ...optional('signKey', options.signKey),
        ...targetAccess(options)
      };
      let planned = chosenPlan(options);
      if (options.dryRun || !options.yes) {
        const plan = await line.call(
          'pruneBackups',
          { ...request, dryRun: true },
          { ...options, quiet: true }
        );
        if (options.dryRun && options.json) await line.writeJson(plan);
        else if (options.dryRun) await line.write(pruneText(plan, line.colours));
        else line.say(pruneText(plan, line.colours));
        if (!options.dryRun) planned = chosenPlan(options, plan);
      }
      if (options.dryRun) return;
      await confirmed(line, options, 'Remove these backups?');
      const report = await line.call('pruneBackups', { ...request, ...planned }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(pruneText(report, line.colours));
    });
}

function addAdopt(backup: Command, line: CommandLine): void {
  withCopyOptions(
    withWriteOptions(
      withGlobalOptions(backup.command('adopt').summary('add a disk snapshot to the catalogue'))
    )
  )
    .argument('<target>', 'a directory, or s3://BUCKET/PREFIX')
    .description(
      'Verifies a directory that holds a disk snapshot of a node and copies it into the catalogue, as clones if the ' +
        'file system supports them. Does not change the snapshot.'
    )
    .requiredOption('--from <dir>', 'data directory in the snapshot')
    .option('--index <dir>', 'index directory in the snapshot (default: index in the data directory)')
    .addHelpText('after', '\nExample:\n  $ winnow backup adopt /backups --from /mnt/snapshot/kurrentdb --yes')
    .action(async (target: string, options: AdoptOptions) => {
      const words = `The snapshot in ${visibleText(options.from)} will be verified and copied into ${visibleText(target)}.\n`;
      if (options.dryRun) {
        if (options.json) await line.writeJson({ dryRun: true, target, dataDirectory: options.from });
        else await line.write(words);
        return;
      }
      if (!options.yes) line.say(words);
      await confirmed(line, options, 'Add it to the catalogue?');
      const request = {
        target,
        dataDirectory: options.from,
        ...optional('indexDirectory', options.index),
        ...copyRequest(options)
      };
      const report = await line.call('adoptBackup', request, options);
      if (options.json) await line.writeJson(report);
      else await line.write(backupTable(report, line.colours));
    });
}

function withCopyOptions(command: Command): Command {
  return withEncodingOptions(command)
    .option('--threads <n>', 'files to copy at once (default: up to 4)', wholeNumber(1, MAX_THREADS))
    .option('--throttle <size>', 'read at most this many bytes per second, such as 50MiB', parseByteSize);
}

type CopyRequest = Pick<
  RequestOf<'adoptBackup'>,
  'threads' | 'bytesPerSecond' | 'compress' | 'keyFile' | 's3Endpoint' | 'signKey' | 'verifyKeys'
>;

function copyRequest(options: CopyOptions): CopyRequest {
  const { threads, throttle } = options;
  return {
    ...optional('threads', threads),
    ...optional('bytesPerSecond', throttle),
    ...encodingRequest(options)
  };
}
