/**
 * Where Winnow keeps its own data: node registry, appearance, schedules, state of detached runs. Never inside a
 * data or index directory of a database.
 */
import { homedir } from 'node:os';
import path from 'node:path';

/** The directory named by `WINNOW_HOME`, else the platform's user data folder. It may not exist yet. */
export function winnowHome(env: Record<string, string | undefined>, platform: NodeJS.Platform): string {
  const named = env['WINNOW_HOME'];
  if (named !== undefined && named !== '') return path.resolve(named);
  const home = env['HOME'] ?? homedir();
  switch (platform) {
    case 'win32':
      return path.join(env['APPDATA'] ?? path.join(homedir(), 'AppData', 'Roaming'), 'Winnow');
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'Winnow');
    default:
      return path.join(env['XDG_DATA_HOME'] ?? path.join(home, '.local', 'share'), 'winnow');
  }
}
