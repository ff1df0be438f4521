/** What the window counts: one, and more than one. */
export const nounsTexts = {
  nouns: {
    backup: ['backup', 'backups'],
    byte: ['byte', 'bytes'],
    chunk: ['chunk', 'chunks'],
    chunkFile: ['chunk file', 'chunk files'],
    completedChunk: ['completed chunk', 'completed chunks'],
    damage: ['place of damage', 'places of damage'],
    day: ['day', 'days'],
    entry: ['entry', 'entries'],
    event: ['event', 'events'],
    file: ['file', 'files'],
    finding: ['finding', 'findings'],
    hint: ['hint', 'hints'],
    indexEntry: ['index entry', 'index entries'],
    member: ['member', 'members'],
    minute: ['minute', 'minutes'],
    night: ['night', 'nights'],
    node: ['node', 'nodes'],
    place: ['place', 'places'],
    record: ['record', 'records'],
    step: ['step', 'steps'],
    stream: ['stream', 'streams'],
    thread: ['thread', 'threads']
  }
} as const;
