/** The German texts of `../controls.ts`, which says what each is for. */
import type { controlsTexts as english } from '../controls.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

const KEYS: Readonly<Record<string, string>> = {
  Ctrl: 'Strg',
  Shift: 'Umschalt',
  Home: 'Pos1',
  End: 'Ende',
  Left: 'Links',
  Right: 'Rechts'
};

export const controlsTexts = {
  controls: {
    divider: 'Trenner',
    dayPattern: 'JJJJ-MM-TT',
    key: (name: string) => KEYS[name] ?? name
  }
} satisfies Translation<typeof english>;
