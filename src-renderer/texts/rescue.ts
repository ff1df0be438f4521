/** The rescue of a full disk. */
export const rescueTexts = {
  rescue: {
    title: 'Free a full disk',
    intro:
      'A rescue is a scavenge for a disk that has no room for one. It begins with the chunks that free the most for each byte of their new file, and never uses more space than there is.',
    safety:
      'Nothing is written before you have seen the plan. Only a backup can bring back what a rescue removes.',
    makePlan: 'Make the plan',
    makePlanAgain: 'Make the plan again',
    start: (bytes: string, node: string) => `Remove ${bytes} from ${node}`,
    startNothing: (node: string) => `Rescue ${node}`,
    confirmTitle: (node: string) => `Rescue ${node}?`,
    planTable: 'The plan, chunk by chunk, in the order of the run',
    doneTable: 'What was done, chunk by chunk'
  }
} as const;
