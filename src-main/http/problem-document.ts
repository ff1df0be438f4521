/** Problem documents (RFC 9457), the errors of /auto-scavenge. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';

export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const problem = {
    type: `https://www.rfc-editor.org/rfc/rfc9110#section-15.${Math.floor(status / 100) + 1}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail
  };
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problem));
}
