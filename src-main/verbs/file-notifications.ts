/**
 * Whether a volume notifies of everything that happens on it. Linux notifies of what this machine does only: what a
 * server does on another machine that has the same share mounted is never heard of.
 */
import fs from 'node:fs/promises';
import { ownFacts, type PlatformFacts } from '../../src-core/index.ts';

/** f_type of statfs(2) of volumes that other machines write too, or that programs serve (linux/magic.h). */
const SHARED_VOLUMES = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE: sshfs, virtiofs, object stores
  0x01021997, // 9P: folders shared with a virtual machine
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x01161970, // GFS2
  0x7461636f, // OCFS2
  0x0bd00bd0 // Lustre
]);

/** By the type of its file system, where that is told. */
export function isSharedVolume(type: number, { tellsSharedVolumes }: PlatformFacts = ownFacts): boolean {
  return tellsSharedVolumes && SHARED_VOLUMES.has(type);
}

/** False as well for a directory that cannot be asked about, for example because it does not exist. */
export async function sendsNotifications(directory: string): Promise<boolean> {
  try {
    const { type } = await fs.statfs(directory);
    return !isSharedVolume(type);
  } catch {
    return false;
  }
}
