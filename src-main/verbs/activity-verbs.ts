/** What the verbs about past operations do. */
import { EngineError } from '../../src-core/index.ts';
import { activityDetails } from '../activity/activity-details.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import { titleOfRecord } from '../contract/operations/operation-titles.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';

export interface ActivityVerbParts {
  activity: Pick<ActivityLog, 'list'>;
  /** Versions and platform, for bug reports. */
  environment: readonly string[];
}

export function activityVerbs({
  activity,
  environment
}: ActivityVerbParts): Pick<VerbHandlers, 'listActivity' | 'describeActivity'> {
  return {
    listActivity: () => activity.list().map((entry) => ({ ...entry, title: titleOfRecord(entry) })),
    describeActivity: ({ id, hasStreamNames }) => {
      const entry = activity.list().find((candidate) => candidate.id === id);
      if (entry) return { text: activityDetails(entry, { hasStreamNames, environment }) };
      throw new EngineError({
        code: 'InvalidRequest',
        message: 'This operation is no longer in the record.',
        remedy: 'Older operations are removed when the record grows large.',
        details: { activityId: id }
      });
    }
  };
}
