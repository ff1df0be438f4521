/**
 * What differs by system, each decision once and as of a system's name, so that tests can pretend. Everything else asks here and
 * never for the name (docs/decisions/0058-windows-as-far-as-wine-shows.md).
 */

export interface PlatformFacts {
  name: NodeJS.Platform;
  /** A server would notice a lock that is taken here. Where it would not, nothing is written to a database. */
  hasNoticedLocks: boolean;
  /** The kernel has a list of all locks, and tells of those that other machines hold on a share. */
  listsLocks: boolean;
  /** The C library; on Windows none is asked. */
  library: string;
  /** Unread pages of files and free memory can be given back by calls of that library. */
  givesPagesBack: boolean;
  /** Owner and mode of a file say who may use it. */
  hasOwners: boolean;
  /** A directory can be opened, and flushed. Where it cannot, renames are journalled. */
  flushesDirectories: boolean;
  /** A local socket is a file in a directory, which stays until it is removed; else it is a pipe with a name of its own. */
  hasSocketFiles: boolean;
  /** The type of a volume says whether other machines write to it, whose changes nobody is notified of. */
  tellsSharedVolumes: boolean;
  /**
   * Of the engine behind a window, as os.setPriority has it. Between normal (0) and the one that has a name (10): at 10 an engine
   * gets a tenth of what each other busy process gets, and the window waits for its answers. Windows knows no step between.
   */
  priorityBehindWindow: number;
}

export function platformFacts(name: NodeJS.Platform): PlatformFacts {
  const isWindows = name === 'win32';
  const isLinux = name === 'linux';
  return {
    name,
    hasNoticedLocks: !isWindows,
    listsLocks: isLinux,
    library: name === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6',
    givesPagesBack: isLinux,
    hasOwners: !isWindows,
    flushesDirectories: !isWindows,
    hasSocketFiles: !isWindows,
    tellsSharedVolumes: isLinux,
    priorityBehindWindow: isWindows ? 10 : 5
  };
}

/** Of the system that this process runs on. */
export const ownFacts: PlatformFacts = platformFacts(process.platform);

const PIPES = '\\\\.\\pipe\\';
/** Devices, with or without an extension, whatever their case. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** The address of a pipe. */
export function pipeAddress(name: string): string {
  return `${PIPES}${name}`;
}

/**
 * A name that is a file's on one system and on another a device, another directory, or the same file as without its last point.
 * Files of ours have none: a home or a backup may be carried to another system.
 */
export function isNameForEverySystem(name: string): boolean {
  return !RESERVED.test(name) && !/[. ]$/.test(name) && !/[<>:"/\\|?*\p{Cc}]/u.test(name) && name !== '';
}
