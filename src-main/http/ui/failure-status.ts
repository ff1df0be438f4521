/** The HTTP status for a failure, by its family. */
import type { ErrorCode } from '../../../src-core/index.ts';
import type { ErrorReport } from '../../contract/verbs/workbench-contract.ts';

const STATUS: Record<ErrorCode, number> = {
  InvalidRequest: 400,
  LicenseRequired: 403,
  DatabaseNotFound: 404,
  StreamNotFound: 404,
  StreamDeleted: 410,
  DatabaseInUse: 409,
  PlanStale: 409,
  UnsupportedFormat: 422,
  LogCorrupt: 500,
  IndexCorrupt: 500,
  AssertionFailed: 500,
  RemoteNodeFailed: 502,
  StorageFailed: 507
};

export function statusOf({ code }: ErrorReport): number {
  return Object.hasOwn(STATUS, code) ? STATUS[code as ErrorCode] : 500;
}
