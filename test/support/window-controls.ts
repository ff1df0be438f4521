/** The controls by which options of commands are set in the window: test/renderer/window-controls.test.ts looks for each. */

export interface WindowControl {
  role: 'spinbutton' | 'textbox' | 'checkbox' | 'radiogroup' | 'combobox' | 'button' | 'slider';
  /** As it is read out. */
  name: string;
}
/** A command whose options stand in one view, folded ones among them. */
export interface OptionsView {
  view: string;
  controls: Readonly<Record<string, WindowControl>>;
}

const control = (role: WindowControl['role'], name: string): WindowControl => ({ role, name });
const number = (name: string): WindowControl => control('spinbutton', name);
const tick = (name: string): WindowControl => control('checkbox', name);

const UNTIL = control('textbox', 'Stop at');
const WINDOW = control('textbox', 'Maintenance window from');
const NOW = control('textbox', 'Effective time');
const THROTTLE = number('At most');
const STATED = tick('The server is stopped');
const AFRESH = tick('Start afresh');

export const WINDOW_CONTROLS: Readonly<Record<string, OptionsView>> = {
  scavenge: {
    view: 'Scavenge',
    controls: {
      '--scavenge-point': control('radiogroup', 'Where the scavenge ends (scavenge point)'),
      '--threshold': number('Threshold'),
      '--threads': number('Threads'),
      '--throttle-percent': number('Speed'),
      '--throttle': THROTTLE,
      '--no-merge': tick('Merge small neighbouring chunks into one file'),
      '--unsafe-ignore-hard-deletes': tick('Remove all traces of hard-deleted streams'),
      '--always-keep-scavenged': tick('Replace a chunk even if its copy is not smaller'),
      '--page-size': number('Page size of the state'),
      '--cache-size': number('Cache of the state'),
      '--hash-users-cache-capacity': number('Stream hashes remembered'),
      '--scavenge-history-max-age': number('History kept'),
      '--now': NOW,
      '--stop-after': control('combobox', 'Stop after'),
      '--assume-stopped': STATED,
      '--start-afresh': AFRESH,
      '--until': UNTIL,
      '--window': WINDOW
    }
  },
  rescue: {
    view: 'Rescue',
    controls: {
      '--scratch': number('Use at most'),
      '--scratch-directory': control('button', 'Choose…'),
      '--reserve': number('Always leave free'),
      '--scavenge-point': control('radiogroup', 'Where the rescue ends'),
      '--threshold': number('Threshold'),
      '--throttle': THROTTLE,
      '--now': NOW,
      '--assume-stopped': STATED,
      '--start-afresh': AFRESH,
      '--until': UNTIL
    }
  },
  verify: {
    view: 'Check and repair',
    controls: {
      '--quick': tick('Quick: skip the file hashes'),
      '--threads': number('Threads'),
      '--throttle': THROTTLE,
      '--budget': number('Read for'),
      '--within': number('Ask about the last')
    }
  }
};
