/** A small sound directory, changed and examined: what the next start would make of it. */
import { createHash } from 'node:crypto';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { examineStart, type ExamineStart } from '../../../../src-core/insight/doctor/examine-start.ts';
import type { StartFinding } from '../../../../src-core/insight/doctor/start-finding.ts';
import type { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { bytesOf, copyOf, DATABASE, int64, overwrite, sampleInMemory } from '../../repair/repair-sample.ts';

export const FIRST = 'chunk-000000.000000';
export const SECOND = 'chunk-000001.000000';
export type Change = (memory: MemoryFileSystem) => void;
export type Options = Partial<Omit<ExamineStart, 'place'>>;

/** Made once; each examination has a copy. */
let sound: Promise<MemoryFileSystem> | undefined;

export async function examined(change: Change, options: Options = {}) {
  const memory = copyOf(await (sound ??= sampleInMemory()));
  change(memory);
  const place = { fileSystem: memory, dataDirectory: DATABASE };
  return examineStart({ place, isThorough: true, control: uncontrolled(), ...options });
}

export async function reason(code: string, change: Change, options: Options = {}): Promise<StartFinding[]> {
  const { findings } = await examined(change, options);
  return findings.filter((finding) => finding.code === code);
}

/** Changes bytes of a file in place. */
export function patch(memory: MemoryFileSystem, name: string, offset: number, bytes: Uint8Array): void {
  const all = bytesOf(memory, name);
  all.set(bytes, offset);
  overwrite(memory, name, all);
}

/** What a table or a completed chunk ends with. */
export function withHash(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, createHash('md5').update(bytes).digest()]);
}

export const int32 = (value: number): Buffer => int64(value).subarray(0, 4);
export const lastChunk = (memory: MemoryFileSystem): string =>
  memory
    .list(DATABASE)!
    .map(({ name }) => name)
    .filter((name) => name.startsWith('chunk-'))
    .sort()
    .at(-1)!;
