/** The verbs about the application itself; and their refusal if a page is served to a browser. */
import { EngineError } from '../../src-core/index.ts';
import { aboutVerbs, type AboutVerbParts } from './about-verbs.ts';
import { activityVerbs, type ActivityVerbParts } from './activity-verbs.ts';
import { APPLICATION_VERBS } from '../contract/verbs/application-channels.ts';
import type { ApplicationVerbName } from '../contract/verbs/application-contract.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';
import { settingsVerbs, type SettingsVerbParts } from './settings-verbs.ts';

export type ApplicationVerbHandlers = Pick<VerbHandlers, ApplicationVerbName>;

export function applicationVerbs(parts: {
  settings: SettingsVerbParts;
  activity: ActivityVerbParts;
  about: AboutVerbParts;
  /** Shows in the application menu what cannot be carried out now. */
  tellObstacles: (commands: string[]) => void;
}): ApplicationVerbHandlers {
  return {
    ...settingsVerbs(parts.settings),
    ...activityVerbs(parts.activity),
    ...aboutVerbs(parts.about),
    tellObstacles: ({ commands }) => {
      parts.tellObstacles(commands);
      return null;
    }
  };
}

/** A browser shows one node; users, settings and other operations on the machine are none of its business. */
export function absentApplicationVerbs(): ApplicationVerbHandlers {
  const refuse = (): never => {
    throw new EngineError({
      code: 'InvalidRequest',
      message: 'Settings and activity are shown in the window of Winnow, not here.',
      remedy: 'Use the window, "winnow activity" or "winnow user".',
      details: {}
    });
  };
  return Object.fromEntries(
    Object.keys(APPLICATION_VERBS).map((name) => [name, refuse])
  ) as unknown as ApplicationVerbHandlers;
}
