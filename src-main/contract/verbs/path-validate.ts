/** The check of the window's requests about paths and passwords. */
import { z } from 'zod';
import type { PathVerbName } from './path-contract.ts';

const id = z.string().min(1).max(100);
const kept = z.number().int().min(0).max(9999);
const password = z.string().min(1).max(1000);

export const storeRequest = {
  location: z.string().trim().min(1).max(2000),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .exactOptional()
};

/** Of the window and of a call over HTTP. */
export const backupScheduleRequest = z.strictObject({
  expression: z.string().min(1).max(1000),
  timeZone: z.string().min(1).max(100),
  compress: z.boolean(),
  retention: z.strictObject({ last: kept, daily: kept, weekly: kept, monthly: kept })
});

export const pathVerbRequests = {
  choosePath: z.strictObject({
    purpose: z.enum([
      'backups',
      'restoreTo',
      'index',
      'keyFile',
      'scratch',
      'rescueScratch',
      'authority',
      'output',
      'bundleKey',
      'configuration'
    ])
  }),
  nameStore: z.strictObject(storeRequest),
  openChosen: z.strictObject({ id }),
  keepPassword: z.strictObject({ password }),
  setBackupKey: z.strictObject({
    nodeId: id,
    key: z.enum(['none', 'file', 'newFile', 'password']),
    password: password.exactOptional()
  }),
  setBackupSchedule: z.strictObject({ nodeId: id, schedule: backupScheduleRequest.nullable() })
} satisfies Record<PathVerbName, z.ZodType>;
