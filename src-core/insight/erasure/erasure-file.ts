/**
 * One file to be looked through: where it is, what it is, how its bytes come. Files of the database, files of a backup
 * and unknown files all come in this form, so that they are examined by the same code.
 */
import type { PlaceKind } from './place.ts';

/** `numbers`: filters, which hold bits and no names. `unknown`: decided by the first bytes. */
export type FileForm = 'chunk' | 'table' | 'state' | 'numbers' | 'unknown';

export interface ErasureFile {
  /** As the report names it. */
  name: string;
  kind: PlaceKind;
  form: FileForm;
  /** Plain bytes. */
  bytes: number;
  /** Of a chunk of the log: where its data end. What lies behind is slack. */
  dataEnd?: number;
  /** Of a chunk of the log: it is being written. */
  isActive?: boolean;
  /** Ids of the backups that share the file. */
  backups?: readonly string[];
  /** Searched as bytes, which proves nothing: the sentence why. */
  notReadable?: string;
  /** The bytes from the first to the last, plain. */
  blocks(): AsyncIterable<Uint8Array>;
}
