/** A plain backup restored as the document says, with nothing but copies: the way a person without Winnow takes. */
import fs from 'node:fs';
import path from 'node:path';

/** Copies the folder of a backup to `to`, the index inside, and chaser.chk over truncate.chk. */
export function restoreByHand(backup: string, to: string): void {
  fs.cpSync(path.join(backup, 'data'), to, { recursive: true });
  const index = path.join(backup, 'index');
  if (fs.existsSync(index)) fs.cpSync(index, path.join(to, 'index'), { recursive: true });
  fs.copyFileSync(path.join(to, 'chaser.chk'), path.join(to, 'truncate.chk'));
}
