/**
 * What the answer of a node means for the caller: the one place that decides whether to ask again.
 * Soon (`later`), not before a person changes something (`never`), or once the node is available again (`gone`).
 * Statuses and words are those of a server; docs/operations/cluster.md has the table.
 */
import type { NodeFault } from '../../src-core/index.ts';
import { TOO_LONG, type HttpAnswer, type HttpCall, type HttpRequest } from './http-call.ts';

/** `status`: of the answer; undefined: there was none, or it was not understood. */
export type AskedFault = NodeFault & { status?: number };

export type Asked = { answer: HttpAnswer; fault?: never } | { fault: AskedFault; answer?: HttpAnswer };

/** Never throws. `answer` without a fault has a status of 200 to 299. */
export async function askNode(call: HttpCall, request: HttpRequest): Promise<Asked> {
  let answer: HttpAnswer;
  try {
    answer = await call(request);
  } catch (error) {
    return { fault: faultOfError(error, request) };
  }
  const fault = faultOfStatus(answer, request);
  return fault === undefined ? { answer } : { answer, fault: { ...fault, status: answer.status } };
}

/** For an answer with a status of success and a body that no server would send. */
export const NOT_A_SERVER: NodeFault = {
  kind: 'never',
  reason: 'does not answer as a KurrentDB or EventStoreDB server does',
  remedy: 'Check the address and the port: something else may listen there, such as a proxy.'
};

export const NO_GOSSIP: NodeFault = {
  ...NOT_A_SERVER,
  reason: 'gives no gossip as a KurrentDB or EventStoreDB server does'
};

const REMEDY_OF_ACCESS =
  'Register the cluster again with --user and --password-stdin, of a user with the role $ops or $admins.';
const SWITCHED_OFF: NodeFault = {
  kind: 'never',
  reason: 'has its admin endpoints switched off, or is not a server (404)',
  remedy:
    'Remove DisableAdminUi (--disable-admin-ui) from the configuration of the node, or check the address.'
};

/** Answers with 400 that are temporary. */
const BUSY = /already running|in progress|switch lock|not ready|initiali[sz]ing/i;
const LONGEST_WORDS = 200;

function faultOfStatus(answer: HttpAnswer, request: HttpRequest): NodeFault | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    return {
      kind: 'never',
      reason: `redirects instead of answering (${status}): to a log-in page, or to another address`,
      remedy: `Check the address. ${REMEDY_OF_ACCESS}`
    };
  }
  switch (status) {
    case 400:
      return faultOfRefusal(answer.body);
    case 401:
      return request.authorization === undefined
        ? { kind: 'never', reason: 'requires a user and a password (401)', remedy: REMEDY_OF_ACCESS }
        : refusedUser(userOf(request));
    case 403:
      return missingRole(userOf(request));
    case 404:
      return SWITCHED_OFF;
    case 408:
    case 429:
      return later(`cannot answer now (${status})`);
    default:
      if (status >= 500) return later(`cannot do it now (${status}${wordsOf(answer.body)})`);
      return { ...NOT_A_SERVER, reason: `${NOT_A_SERVER.reason} (${status})` };
  }
}

/** A refused log-in; the answer to a request about the user alone tells the cases apart. */
export function refusedUser(user: string): NodeFault {
  return {
    kind: 'never',
    reason: `refuses the user ${user} (401): the password is wrong, there is no such user, or the role $ops is missing`,
    remedy: REMEDY_OF_ACCESS
  };
}

export function wrongPassword(user: string): NodeFault {
  return {
    kind: 'never',
    reason: `refuses the password of ${user}, or knows no such user (401)`,
    remedy: REMEDY_OF_ACCESS
  };
}

export function missingRole(user: string): NodeFault {
  return {
    kind: 'never',
    reason: `knows the user ${user}, who has neither the role $ops nor $admins`,
    remedy: 'Give the user the role $ops on the server, or register the cluster again with another user.'
  };
}

function faultOfRefusal(body: string): NodeFault {
  if (body.trim() === '' || BUSY.test(body)) return later(`cannot do it now (400${wordsOf(body)})`);
  return {
    kind: 'never',
    reason: `refuses the request (400${wordsOf(body)})`,
    remedy: 'Correct the request; an older server may not know an option of it.'
  };
}

function later(reason: string): NodeFault {
  return { kind: 'later', reason, remedy: 'Wait, and check the log of the node.' };
}

/** The beginning of a text from outside, on one line. */
function wordsOf(body: string): string {
  const words = body
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS);
  return words === '' || words.startsWith('<') ? '' : `: ${words}`;
}

function userOf({ authorization }: HttpRequest): string {
  const encoded = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '';
}

/** Codes of OpenSSL about certificates; those about the name and the time are Node's. */
const UNTRUSTED =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|CRL_)/;

function faultOfError(error: unknown, { url }: HttpRequest): NodeFault {
  const code = codeOf(error);
  if (UNTRUSTED.test(code)) {
    return {
      kind: 'never',
      reason: `has a certificate that is not trusted here (${reasonOf(error)})`,
      remedy:
        'Register the cluster again with --ca and the certificate of the authority that signed it, using a host name in the certificate.'
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return {
      kind: 'never',
      reason: 'does not speak TLS correctly',
      remedy: url.startsWith('https:')
        ? 'Check the address: a node without TLS is registered with http://.'
        : 'Check the address.'
    };
  }
  // Not HTTP at all, or an endless answer.
  if (code.startsWith('HPE_') || code === TOO_LONG) return NOT_A_SERVER;
  const why = code === 'ECONNREFUSED' ? 'nothing listens there' : reasonOf(error);
  return {
    kind: 'gone',
    reason: `does not answer (${why})`,
    remedy: 'Check that the node runs, and its address.'
  };
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'it takes too long';
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, LONGEST_WORDS);
}
