/**
 * Files that come from the machine of a browser: key files of encrypted backups, certificates of authorities, licences. Each in
 * a folder of its own that only its owner can read. Those for one piece of work end with the service; the others stay.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { invalidRequest } from '../../../src-core/index.ts';
import { writePrivateFile } from '../../settings/private-file.ts';

/** A folder of WINNOW_HOME; what is in `uploads` ends with the service. */
export type KeptUpload = 'uploads' | 'backup-keys' | 'authorities' | 'licences';

/** Of a key file with comments in it, a bundle of certificates, a licence. */
export const MOST_UPLOADED_CHARACTERS = 64 * 1024;

const uploadedFile = z.strictObject({
  name: z.string().max(1000),
  text: z.string().min(1).max(MOST_UPLOADED_CHARACTERS)
});

export class Uploads {
  readonly #home: string;

  /** Discards what an earlier service left behind. */
  constructor(home: string) {
    this.#home = home;
    this.discard();
  }

  /** Where it was put. `uploaded`: as it came from the page; throws InvalidRequest for anything but a short file. */
  keep(uploaded: unknown, kept: KeptUpload): string {
    const { success, data } = uploadedFile.safeParse(uploaded);
    if (!success) throw invalidRequest('This file is empty or too long.', 'uploaded');
    const folder = path.join(this.#home, kept, randomUUID());
    const file = path.join(folder, nameOf(data.name));
    writePrivateFile({ file, content: data.text, isSecret: true });
    return file;
  }

  discard(): void {
    rmSync(path.join(this.#home, 'uploads'), { recursive: true, force: true });
  }
}

/** For people to recognise it; nothing else is decided by it. */
function nameOf(given: string): string {
  const name = given
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^\.+/, '')
    .slice(-80);
  return name === '' ? 'key' : name;
}
