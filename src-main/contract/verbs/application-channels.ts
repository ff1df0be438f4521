/** Names of the verbs about the application itself. */
import type { ApplicationVerbName } from './application-contract.ts';

/** Keys instead of a list, so that the compiler reports a missing verb. */
export const APPLICATION_VERBS: Record<ApplicationVerbName, true> = {
  preferences: true,
  changePreferences: true,
  zoom: true,
  listSettings: true,
  listUsers: true,
  addUser: true,
  changeUserPassword: true,
  removeUser: true,
  listActivity: true,
  describeActivity: true,
  about: true,
  readLicence: true,
  saveBillOfMaterials: true,
  tellObstacles: true
};
