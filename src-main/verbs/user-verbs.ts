/** The verbs about the users of the node service. */
import type { Role, UserStore } from '../access/user-store.ts';
import type { UsersReport } from '../contract/verbs/application-contract.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';

export type UserVerbName = 'listUsers' | 'addUser' | 'changeUserPassword' | 'removeUser';

const ROLES: Record<'admin' | 'ops' | 'none', Role[]> = { admin: ['$admins'], ops: ['$ops'], none: [] };

export function userVerbs(users: UserStore): Pick<VerbHandlers, UserVerbName> {
  const usersReport = (): UsersReport => ({
    file: users.file,
    users: users.list().map(({ name, roles }) => ({ name, roles }))
  });
  return {
    listUsers: usersReport,
    addUser: async ({ name, role, password }) => {
      await users.add(name, ROLES[role], password);
      return usersReport();
    },
    changeUserPassword: async ({ name, password }) => {
      await users.changePassword(name, password);
      return usersReport();
    },
    removeUser: ({ name }) => {
      users.remove(name);
      return usersReport();
    }
  };
}
