/** What controls say that every view has: fields, dividers, keys. */
export const controlsTexts = {
  controls: {
    divider: 'Divider',
    /** How a day is typed. */
    dayPattern: 'YYYY-MM-DD',
    /** What is written on a key. */
    key: (name: string) => name
  }
} as const;
