/** The check of the window's requests about the application itself. */
import { z } from 'zod';
import { ZOOM_STEPS } from '../../settings/window-settings.ts';
import type { ApplicationVerbName } from './application-contract.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(100);
/** The users file decides which names and passwords are valid; this only limits the request. */
const userName = z.string().min(1).max(100);
const password = z.string().max(1000);

export const applicationVerbRequests = {
  preferences: nothing,
  changePreferences: z.strictObject({
    language: z.enum(['system', 'en', 'de']).exactOptional(),
    numbers: z.enum(['language', 'comma', 'point', 'space', 'apostrophe']).exactOptional(),
    reducedMotion: z.enum(['system', 'always']).exactOptional(),
    zoomPercent: z.number().int().min(ZOOM_STEPS[0]).max(ZOOM_STEPS.at(-1)!).exactOptional(),
    notices: z.boolean().exactOptional()
  }),
  zoom: z.strictObject({ step: z.enum(['in', 'out', 'reset']) }),
  listSettings: z.strictObject({ nodeId: id.nullable() }),
  listUsers: nothing,
  addUser: z.strictObject({ name: userName, role: z.enum(['admin', 'ops', 'none']), password }),
  changeUserPassword: z.strictObject({ name: userName, password }),
  removeUser: z.strictObject({ name: userName }),
  listActivity: nothing,
  describeActivity: z.strictObject({ id, hasStreamNames: z.boolean() }),
  about: nothing,
  readLicence: z.strictObject({ name: z.string().min(1).max(214), version: z.string().min(1).max(100) }),
  saveBillOfMaterials: nothing,
  tellObstacles: z.strictObject({ commands: z.array(z.string().max(300)).max(1000) })
} satisfies Record<ApplicationVerbName, z.ZodType>;
