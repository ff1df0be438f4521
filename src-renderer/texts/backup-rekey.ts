/** Texts of encrypting backups for other keys: the form, its plan, and what was done. */
export const backupRekeyTexts = {
  backupRekey: {
    rekey: 'Encrypt backups for other keys…',
    isGeneration: 'A new generation, encrypted for other keys',
    isPlain: 'This backup is not encrypted.',
    formTitle: 'Encrypt backups for other keys',
    intro:
      'Every encrypted backup in this directory becomes a new generation of itself. The old generation goes when the new one has been read back: from then on only the new keys open it.',
    newKeys: 'New keys',
    ways: {
      own: { name: 'The key of the next backups', hint: (file: string) => file },
      file: {
        name: 'The keys in another file',
        hint: 'Public keys, one per line. Each of them opens the backups.'
      }
    },
    chooseFile: 'Choose a key file…',
    old: 'What opens them now',
    plan: 'Plan the encryption',
    cancel: 'Cancel',
    planTitle: 'Plan of the encryption',
    facts: {
      due: 'To encrypt',
      done: 'Have these keys',
      read: 'To read and write',
      free: 'Free in the target'
    },
    recipients: 'Opened from then on by',
    exists: 'No backup in this directory is encrypted for other keys.',
    start: 'Encrypt for these keys',
    confirmTitle: 'Encrypt for these keys?',
    confirm: (backups: string) =>
      `${backups} can then be opened with the new keys only, and no longer with the old ones. Keep the new secret key or password elsewhere too: without it nobody can restore them.`,
    done: (backups: string) => `Encrypted again and read back: ${backups}.`,
    oldIsOut: 'The old keys open none of the backups in this directory any more.',
    generation: (of: string, id: string) => `${of} is now ${id}`,
    files: (stored: string, shared: string) => `${stored} encrypted again, ${shared} shared`,
    nextTitle: 'The next backups have another key',
    nextHint:
      'What was chosen here is for the backups that are there. Choose the same file for the next ones.',
    stopped:
      'Stopped. Each backup has its old keys or the new ones; encrypt them again for the same keys to finish it.'
  }
} as const;
