/** The manifest of a backup as if it had been written otherwise: changed and sealed again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { sealDocument } from '../../src-core/backup/manifest-seal.ts';

type Json = Record<string, unknown>;

/** Members that `change` removes are gone; the seal is the last thing made. */
export function resealed(bytes: Uint8Array, change: (document: Json) => void): Uint8Array {
  const { seal: _, ...document } = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  change(document);
  return sealDocument({ ...document, sealed: true });
}

export function changeManifest(file: string, change: (document: Json) => void): void {
  writeFileSync(file, resealed(readFileSync(file), change));
}

/** As a version wrote it that sealed none. */
export function unsealed(bytes: Uint8Array): Uint8Array {
  const { seal: _, sealed: __, ...document } = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  return new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`);
}
