/**
 * A signal may come while the system reads or writes on a share or in user space, where a call can be interrupted: nothing
 * was done then, and the call is made again. Node does so by itself except for reads.
 */
export function isInterrupted(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EINTR';
}
