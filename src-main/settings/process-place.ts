/**
 * Where a process runs, other than by the name of its machine, which may be changed while it runs or between two starts:
 * so that one that left a word behind can be looked for later.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';

/** The kernel's fixed number of the first process namespace: no container. */
const FIRST_PROCESS_NAMESPACE = 'pid:[4026531836]';
const HASH_LETTERS = 16;

export interface ProcessPlace {
  /**
   * The same for every start of one machine: a hash, for the identifier itself is confidential (machine-id(5)). null:
   * not known, and in a container, where an image may bring one that many have.
   */
  machine: string | null;
  /** One start of a machine. */
  boot: string;
  /** Whose process numbers these are: containers have their own. */
  processes: string;
}

/** In a container, or in another namespace of process numbers. */
export const isContainer = ({ processes }: ProcessPlace): boolean => processes !== FIRST_PROCESS_NAMESPACE;

let own: ProcessPlace | null | undefined;

/** null: not Linux, or a sandbox without /proc. */
export function ownProcessPlace(): ProcessPlace | null {
  return (own ??= readPlace());
}

function readPlace(): ProcessPlace | null {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const processes = fs.readlinkSync('/proc/self/ns/pid');
    return { machine: processes === FIRST_PROCESS_NAMESPACE ? machineHash() : null, boot, processes };
  } catch {
    return null;
  }
}

function machineHash(): string | null {
  try {
    const id = fs.readFileSync('/etc/machine-id', 'utf8').trim();
    if (!/^[0-9a-f]{32}$/.test(id)) return null; // "uninitialized", in an image
    return createHash('sha256').update(`winnow ${id}`).digest('hex').slice(0, HASH_LETTERS);
  } catch {
    return null;
  }
}
