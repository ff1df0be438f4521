// What the server needs, to stand beside our own figures. Its documentation publishes no times; of a throttled scavenge it
// says that 50 percent take about twice as long. So these were measured with the server's own scavenge and index code. All
// times in ms; two numbers are the range of several runs.

export const SERVER = {
  /** 2 GiB of the even shape, 100,000 streams; on the machine of the first figures in docs/performance.md. */
  even: {
    accumulation: [2500, 3500],
    calculation: [500, 900],
    chunkExecution: [13_000, 15_000],
    chunkMerging: [0, 4000],
    indexExecution: [900, 1000],
    whole: [18_000, 24_000],
    wholeSeveralThreads: [12_000, 20_000],
    indexRebuild: [7000, 11_000],
    peakBytes: 0.9e9
  },
  /**
   * 2 GiB that the server wrote itself, of the skewed shape: 1.96 million records, 154,000 streams. Without opening it. On a
   * machine where MD5 of the chunks took `hashing` in one thread.
   */
  skewed: {
    hashing: 4600,
    whole: 67_000,
    wholeTwoThreads: 61_000,
    indexRebuild: 24_000
  }
};
