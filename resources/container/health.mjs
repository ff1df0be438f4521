// Whether the node service of this container answers: 0, or 1 with the reason. The service listens on WINNOW_PORT (2113),
// with TLS where WINNOW_TLS is "true"; the certificate is not checked, since it is this very container that is asked.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

const TIMEOUT_MS = 4000;
const ask = process.env.WINNOW_TLS === 'true' ? requestSecure : requestPlain;

function end(reason) {
  console.error(reason);
  process.exit(1);
}

const question = ask({
  host: '127.0.0.1',
  port: Number(process.env.WINNOW_PORT ?? 2113),
  path: '/health/live',
  timeout: TIMEOUT_MS,
  rejectUnauthorized: false
});
question.on('timeout', () => end(`No answer within ${TIMEOUT_MS} ms.`));
question.on('error', (error) => end(error.message));
question.on('response', ({ statusCode }) =>
  statusCode === 204 ? process.exit(0) : end(`Status ${statusCode}.`)
);
question.end();
