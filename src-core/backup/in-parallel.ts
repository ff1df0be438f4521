/** Runs work on items in their order, several at a time. The first failure stops what has not begun, and is thrown. */
export async function inParallel<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  let next = 0;
  let failure: { error: unknown } | undefined;
  const run = async (): Promise<void> => {
    while (next < items.length && !failure) {
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(count, items.length)) }, run));
  // A later clean-up must find no worker running: that is why this waits for the others.
  if (failure) throw failure.error;
}
