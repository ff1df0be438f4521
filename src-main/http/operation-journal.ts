/**
 * What the operations of a service do, in its log: a line when one begins and one when it ends, with the id that the lines
 * of the engine in between have too, and the entry in `winnow activity`.
 */
import type { Logger } from 'pino';
import type { OperationListener } from '../activity/recorded-engine.ts';
import type { ActivityEntry } from '../contract/operations/activity-reports.ts';
import { titleOfRecord } from '../contract/operations/operation-titles.ts';

export function operationJournal(logger: Logger): OperationListener {
  return {
    begun: (entry) => logger.info(factsOf(entry), `${titleOfRecord(entry)}: begun`),
    ended: (entry) => {
      const { outcome, verdict, elapsedMs, error, figures } = entry;
      const facts = { ...factsOf(entry), outcome, elapsedMs };
      const title = titleOfRecord(entry);
      if (error) {
        const { code, message, remedy } = error;
        logger.error({ ...facts, error: { code, message, remedy } }, `${title}: failed, ${code}`);
      } else if (verdict !== null)
        logger.warn({ ...facts, verdict, figures }, `${title}: ${outcome}, ${verdict}`);
      else logger.info({ ...facts, figures }, `${title}: ${outcome}`);
    }
  };
}

function factsOf({ id, operation, door, dataDirectory }: ActivityEntry) {
  return { operationId: id, operation, door, dataDirectory };
}
