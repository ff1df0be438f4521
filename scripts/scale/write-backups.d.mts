/** Backups of one node in a target, one a day until today. */
export function writeBackups(backups: {
  dataDirectory: string;
  target: string;
  count: number;
  winnowHome?: string;
}): Promise<void>;
