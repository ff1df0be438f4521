/**
 * The verbs about the application for a page in a browser: settings and users are those of the service, past operations
 * those on its nodes. Theme, numbers and size are the browser's own, and no verbs here.
 */
import path from 'node:path';
import packageFacts from '../../../package.json' with { type: 'json' };
import type { ActivityLog } from '../../activity/activity-log.ts';
import type { UserStore } from '../../access/user-store.ts';
import type { ActivityEntry } from '../../contract/operations/activity-reports.ts';
import type { Settings } from '../../settings/settings.ts';
import { absentApplicationVerbs, type ApplicationVerbHandlers } from '../../verbs/application-verbs.ts';
import { aboutVerbs } from '../../verbs/about-verbs.ts';
import { activityVerbs } from '../../verbs/activity-verbs.ts';
import { settingsReport } from '../../verbs/settings-verbs.ts';
import { userVerbs } from '../../verbs/user-verbs.ts';
import { applicationVersions } from '../../verbs/versions.ts';
import type { ServedNodes } from './served-nodes.ts';

export interface PageApplicationParts {
  nodes: ServedNodes;
  users: UserStore;
  settings: Settings;
  activity: Pick<ActivityLog, 'list'>;
  /** Directory of the built window; the licences of the rest of the build are beside it. */
  pageDirectory: string;
}

export function pageApplicationVerbs(parts: PageApplicationParts): ApplicationVerbHandlers {
  const { nodes, users, settings, activity, pageDirectory } = parts;
  const versions = applicationVersions({ getVersion: () => packageFacts.version });
  const ofMain = path.join(pageDirectory, '..', 'main');
  return {
    ...absentApplicationVerbs(),
    ...userVerbs(users),
    listSettings: () => settingsReport(settings, undefined),
    ...activityVerbs({
      activity: { list: () => activity.list().filter((entry) => concerns(entry, nodes)) },
      environment: versions.map(({ name, version }) => `${name}: ${version}`)
    }),
    ...aboutVerbs({
      versions,
      licenceFiles: [ofMain, pageDirectory].map((part) => path.join(part, 'third-party-licences.md')),
      billOfMaterials: path.join(ofMain, 'winnow.cdx.json')
    })
  };
}

/** Other nodes of the machine are nothing that a browser sees; what was started from a page is, wherever it led. */
function concerns({ dataDirectory, target, door, pid }: ActivityEntry, nodes: ServedNodes): boolean {
  if (door === 'browser' && pid === process.pid) return true;
  const shown = nodes.list();
  if (dataDirectory !== null) return shown.some((node) => dataDirectory === node.dataDirectory);
  return target !== null && shown.some((node) => target === node.backupTarget);
}
