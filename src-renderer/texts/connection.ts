/** What a page says by itself when nothing answered it. */
export const connectionTexts = {
  unanswered: {
    reload: 'Reload the window (Ctrl+R). Running work goes on.',
    gone: 'The service does not answer.',
    goneHint: 'What was asked may or may not have reached it: look at what runs when it is back.',
    sessionEnded: 'The session had ended. Nothing was done.',
    sessionEndedHint: 'Log in and ask again.',
    stopped: 'The question was stopped.',
    stoppedHint: 'Ask again.',
    status: (status: number) => `The service answered with the status ${status}.`,
    statusHint: 'Its log says more.',
    tooLong: 'This file is longer than 64 KiB.',
    tooLongHint: 'Choose another file.',
    noCopy: 'The browser does not let this page copy.',
    noCopyHint: 'Select the text and copy it yourself, or reach the service over TLS.'
  }
} as const;
