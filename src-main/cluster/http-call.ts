/**
 * One request to a node and its answer, limited in time and size. No redirect is followed: servers redirect to
 * their log-in page, which is not an answer of the API. A certificate must be valid for the name, by the
 * system's authorities or by a given file.
 */
import type http from 'node:http';
import type https from 'node:https';
import { clientFor } from '../access/node-http.ts';

export interface HttpAnswer {
  status: number;
  body: string;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** A value of the header Authorization. */
  authorization?: string | undefined;
  /** JSON. */
  body?: string | undefined;
  timeoutMs: number;
  /** Fires when the answer is no longer needed. */
  signal?: AbortSignal | undefined;
}

/** Rejects if there is no answer: refused, timed out, cut off, not trusted, too long. */
export type HttpCall = (request: HttpRequest) => Promise<HttpAnswer>;

const MOST_BYTES = 8 * 1024 * 1024;
/** Code of the error for a longer answer. */
export const TOO_LONG = 'ERR_ANSWER_TOO_LONG';

/** `certificateAuthority`: PEM; undefined: the system's. */
export function httpCaller(certificateAuthority: string | undefined): HttpCall {
  return (request) =>
    new Promise((resolve, reject) => {
      const options: https.RequestOptions = {
        method: request.method,
        headers: headersOf(request),
        signal: AbortSignal.any([
          AbortSignal.timeout(request.timeoutMs),
          ...(request.signal ? [request.signal] : [])
        ]),
        ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority })
      };
      const outgoing = clientFor(new URL(request.url).protocol).request(request.url, options, (answer) => {
        const pieces: Buffer[] = [];
        let length = 0;
        answer.on('data', (piece: Buffer) => {
          length += piece.length;
          if (length > MOST_BYTES) answer.destroy(tooLong());
          else pieces.push(piece);
        });
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString('utf8') })
        );
      });
      outgoing.on('error', reject);
      outgoing.end(request.body);
    });
}

/** node-answer.ts recognises it by its code. */
function tooLong(): Error {
  return Object.assign(new Error('the answer is too long'), { code: TOO_LONG });
}

function headersOf({ authorization, body }: HttpRequest): http.OutgoingHttpHeaders {
  return {
    Accept: 'application/json',
    // Keeps a server from answering with its log-in page.
    'X-Requested-With': 'XMLHttpRequest',
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    // Even without a body: some servers wait for a length.
    ...(body === undefined ? { 'Content-Length': 0 } : { 'Content-Type': 'application/json' })
  };
}
