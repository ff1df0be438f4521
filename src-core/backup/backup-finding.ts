/** What is wrong with a backup: of the form that the verification of a database uses. */
export interface BackupFinding {
  /** Damage: it cannot be restored, or not as it was. A hint: the server puts it right by itself. */
  severity: 'damage' | 'hint';
  /** A stable word. */
  code: string;
  file: string | null;
  offset: number | null;
  position: number | null;
  message: string;
  remedy: string;
  command: string | null;
}

type Parts = Partial<BackupFinding> & { message: string; remedy: string };

export function backupDamage(code: string, parts: Parts): BackupFinding {
  return { severity: 'damage', code, ...EMPTY, ...parts };
}

export function backupHint(code: string, parts: Parts): BackupFinding {
  return { severity: 'hint', code, ...EMPTY, ...parts };
}

const EMPTY = { file: null, offset: null, position: null, command: null };
