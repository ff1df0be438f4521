/** `winnow user …`: the users of the node service. */
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { winnowHome } from '../../settings/winnow-home.ts';
import { UserStore, type Role } from '../../access/user-store.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed, isDryRun, type WriteOptions } from '../confirmation.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { readPassword } from '../password-input.ts';
import { formatTable } from '../tables.ts';
import { withWriteOptions } from '../write-options.ts';

interface UserOptions extends GlobalOptions {
  users?: string;
}

interface ChangeOptions extends UserOptions, WriteOptions {
  passwordStdin?: boolean;
  role?: Role[];
}

/** With and without the dollar, as the server writes them; its documents call `$admins` `$admin`. */
const ROLES: ReadonlyMap<string, Role[]> = new Map([
  ['ops', ['$ops']],
  ['admin', ['$admins']],
  ['none', []],
  ['$ops', ['$ops']],
  ['$admins', ['$admins']],
  ['$admin', ['$admins']],
  ['admins', ['$admins']]
]);

/** The users file if none is named. */
export function usersFile(line: CommandLine, named: string | undefined): string {
  return path.resolve(named ?? path.join(winnowHome(line.parts.environment, process.platform), 'users.json'));
}

export function addUser(user: Command, line: CommandLine): void {
  user
    .description('Users of "winnow serve".')
    .addHelpText('after', '\nExample:\n  $ winnow user add alice --role ops');
  const change = (name: string, summary: string): Command =>
    withWriteOptions(withUsers(user.command(name).summary(summary).description(`${summary}.`)));

  withPassword(change('add <name>', 'Adds a user'))
    .option('--role <role>', 'ops ($ops), admin ($admins) or none; repeatable', takeRole)
    .addHelpText('after', '\nExample:\n  $ winnow user add alice --role ops')
    .action(async (name: string, options: ChangeOptions) => {
      await apply(line, options, `Add the user "${name}"?`, async (store) =>
        store.add(name, options.role ?? [], await readPassword(line, options.passwordStdin === true))
      );
    });

  withUsers(
    user
      .command('list')
      .summary('list the users and their roles')
      .description('Lists the users and their roles.')
  )
    .addHelpText('after', '\nExample:\n  $ winnow user list')
    .action(async (options: UserOptions) => {
      const users = new UserStore(usersFile(line, options.users)).list();
      const rows = users.map(({ name, roles }) => ({ name, roles }));
      if (options.json) await line.writeJson({ users: rows });
      else await line.write(userTable(line, rows));
    });

  withPassword(change('password <name>', "Changes a user's password"))
    .addHelpText('after', '\nExample:\n  $ winnow user password alice')
    .action(async (name: string, options: ChangeOptions) => {
      await apply(line, options, `Change the password of "${name}"?`, async (store) =>
        store.changePassword(name, await readPassword(line, options.passwordStdin === true))
      );
    });

  change('remove <name>', 'Removes a user')
    .addHelpText('after', '\nExample:\n  $ winnow user remove alice')
    .action(async (name: string, options: ChangeOptions) => {
      await apply(line, options, `Remove the user "${name}"?`, (store) => store.remove(name));
    });
}

async function apply(
  line: CommandLine,
  options: ChangeOptions,
  question: string,
  action: (store: UserStore) => Promise<void> | void
): Promise<void> {
  const store = new UserStore(usersFile(line, options.users));
  line.say(`${question.replace(/\?$/, '')} in ${store.file}.\n`);
  if (await isDryRun(line, options, { file: store.file })) return;
  await confirmed(line, options, question);
  await action(store);
  const rows = store.list().map(({ name, roles }) => ({ name, roles }));
  if (options.json) await line.writeJson({ users: rows });
}

function withUsers(command: Command): Command {
  return withGlobalOptions(command).option(
    '--users <file>',
    'users file (default: users.json in WINNOW_HOME)'
  );
}

function withPassword(command: Command): Command {
  return command.option('--password-stdin', 'read the password from the first line of stdin');
}

function takeRole(word: string, earlier: Role[] | undefined): Role[] {
  const roles = ROLES.get(word);
  if (roles === undefined) throw new InvalidArgumentError('Give ops ($ops), admin ($admins) or none.');
  return [...new Set([...(earlier ?? []), ...roles])];
}

function userTable(line: CommandLine, users: { name: string; roles: Role[] }[]): string {
  if (users.length === 0) return 'There are no users.\n';
  const rows = users.map(({ name, roles }) => [name, roles.join(', ') || 'none']);
  return formatTable([{ title: 'user' }, { title: 'roles' }], rows, line.colours);
}
