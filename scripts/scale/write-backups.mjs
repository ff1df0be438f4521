// Backups of one node in a target, one a day until today.
import { runOperation } from '../bench/run-operation.mjs';

const DAY_MS = 86_400_000;

export async function writeBackups({ dataDirectory, target, count, winnowHome }) {
  const now = Date.now();
  for (let day = count - 1; day >= 0; day--) {
    await runOperation('createBackup', { dataDirectory, target, winnowHome }, () => now - day * DAY_MS);
  }
}
