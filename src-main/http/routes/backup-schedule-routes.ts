/** The schedule of the hosted node's backups: read, set and removed. Winnow only; a server has no such thing. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { errorLineOf, errorReportOf, wrongRequest } from '../../contract/error-report.ts';
import { backupScheduleRequest } from '../../contract/verbs/path-validate.ts';
import { describeBackupSchedule } from '../../operations/backup/describe-backup-schedule.ts';
import { newBackupSchedule } from '../../settings/backup-schedule.ts';
import type { RegisteredNode } from '../../settings/node-registry.ts';
import { isJson, parsedBody } from '../json-body.ts';
import { sendProblem } from '../problem-document.ts';
import { statusOf } from '../ui/failure-status.ts';
import { addRoute } from './route.ts';

/** The hosted node in the list of nodes, which the window and the command line share. */
export interface ScheduledNode {
  /** undefined: it is in no list yet. */
  find: () => RegisteredNode | undefined;
  /** null: no schedule any longer. */
  keep: (schedule: NonNullable<RegisteredNode['backupSchedule']> | null) => void;
  /** For a node that is in no list. */
  dataDirectory: string;
  clock: () => number;
}

const URL = '/backups/schedule';
const askedSchedule = backupScheduleRequest.extend({
  timeZone: backupScheduleRequest.shape.timeZone.optional(),
  compress: backupScheduleRequest.shape.compress.default(false),
  retention: backupScheduleRequest.shape.retention.partial().default({})
});

export function addBackupScheduleRoutes(app: FastifyInstance, node: ScheduledNode): void {
  const answer = (reply: FastifyReply): FastifyReply =>
    reply
      .type('application/json; charset=utf-8')
      .send(
        JSON.stringify(
          describeBackupSchedule(node.find() ?? { dataDirectory: node.dataDirectory }, node.clock())
        )
      );
  addRoute(app, {
    id: 'readBackupSchedule',
    method: 'GET',
    url: URL,
    access: 'operator',
    summary: 'The schedule of backups: in words, its next times, what waits, how the last one ended',
    handler: (_request, reply) => withProblems(reply, () => answer(reply))
  });
  addRoute(app, {
    id: 'setBackupSchedule',
    method: 'PUT',
    url: URL,
    access: 'operator',
    summary:
      'Sets the schedule of backups: {"expression":"0 1 * * *","timeZone":"UTC","compress":false,"retention":{"daily":7}}',
    handler: (request, reply) => {
      if (!isJson(request.headers['content-type'])) return sendProblem(reply, 415, 'The body must be JSON.');
      return withProblems(reply, () => {
        if (node.find()?.backupTarget === undefined) return sendProblem(reply, 409, NO_TARGET);
        node.keep(scheduleOf(parsedBody(request.body), node.clock()));
        return answer(reply);
      });
    }
  });
  addRoute(app, {
    id: 'removeBackupSchedule',
    method: 'DELETE',
    url: URL,
    access: 'operator',
    summary: 'Removes the schedule of backups; the backups stay',
    handler: (_request, reply) =>
      withProblems(reply, () => {
        if (node.find()?.backupSchedule) node.keep(null);
        return reply.code(204).send();
      })
  });
}

const NO_TARGET =
  'The node has no place for its backups yet. Choose one in the window, or with "winnow backup schedule DB --to DIR".';

/** Throws InvalidRequest with the member that is wrong. */
function scheduleOf(body: unknown, nowMs: number): NonNullable<RegisteredNode['backupSchedule']> {
  const { success, data, error } = askedSchedule.safeParse(body);
  if (!success) throw wrongRequest(undefined, error);
  const { last = 0, daily = 0, weekly = 0, monthly = 0 } = data.retention;
  const timeZone = data.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return newBackupSchedule({ ...data, timeZone, retention: { last, daily, weekly, monthly } }, nowMs);
}

function withProblems(reply: FastifyReply, act: () => FastifyReply): FastifyReply {
  try {
    return act();
  } catch (error) {
    const words = errorLineOf(error);
    if (words === undefined) throw error;
    return sendProblem(reply, statusOf(errorReportOf(error)), words);
  }
}
