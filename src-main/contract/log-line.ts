/** One line of the engine's log, for people. */
export interface LogLine {
  level: 'info' | 'warning';
  message: string;
  /** Of the operation that says it, once it passes through the record of operations. */
  operationId?: string;
}

/** Where a service writes its sentences; `operationId` as of the line. */
export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  facts?: { operationId: string | undefined }
) => void;
