/** The status of an answer that tells a failure, by its family. */
import type { ErrorReport } from '../../ipc/contract.ts';

const STATUS: Record<string, number> = {
  InvalidRequest: 400,
  LicenseRequired: 403,
  DatabaseNotFound: 404,
  DatabaseInUse: 409,
  UnsupportedFormat: 422,
  RemoteNodeFailed: 502,
  StorageFailed: 507
};

export function statusOf({ code }: ErrorReport): number {
  return STATUS[code] ?? 500;
}
