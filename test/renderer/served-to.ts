/** What a page in a browser may do, by its user. */
import type { Capabilities } from '../../src-main/contract/verbs/workbench-contract.ts';

export function servedTo(user: string, may: Partial<Capabilities> = {}): Capabilities {
  const writes = may.writes ?? true;
  return { choosesPaths: writes, isWindow: false, writes, administers: false, user, ...may };
}
