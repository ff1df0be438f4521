/**
 * A call to the process that coordinates a cluster of the same WINNOW_HOME, over its HTTP service, with the key that
 * it left beside the lease.
 */
import type { CallAnswer } from '../../src-core/index.ts';
import type { AutoScavengeCall } from './auto-scavenge.ts';
import { homeAuthorization } from '../access/home-key.ts';
import { readCertificateAuthority } from '../settings/certificate-file.ts';
import { httpCaller, type HttpCall } from './http-call.ts';
import type { LeaseHolder } from './coordinator-lease.ts';

/** Pausing may take a second, plus the time for the answer. */
const TIMEOUT_MS = 5000;

/** 503 with an explanation if it cannot be reached. */
export async function forwardToHolder(
  holder: LeaseHolder,
  call: AutoScavengeCall,
  httpCall?: HttpCall
): Promise<CallAnswer> {
  const who = `process ${holder.pid}`;
  if (holder.url === null || holder.key === null) {
    return { status: 503, detail: `Auto-scavenge is coordinated by ${who}, which serves no HTTP` };
  }
  const { method, name, body } = requestOf(call);
  try {
    const ask = httpCall ?? httpCaller(authorityOf(holder));
    const answer = await ask({
      method,
      url: `${holder.url}/auto-scavenge/${name}`,
      authorization: homeAuthorization(holder.key),
      body,
      timeoutMs: TIMEOUT_MS
    });
    const value = answer.body === '' ? null : (JSON.parse(answer.body) as unknown);
    const { detail } = (value ?? {}) as { detail?: unknown };
    const isProblem = answer.status >= 400 && typeof detail === 'string';
    return isProblem ? { status: answer.status, detail } : { status: answer.status, body: value };
  } catch {
    const detail = `Auto-scavenge is coordinated by ${who} at ${holder.url}, which does not answer`;
    return { status: 503, detail };
  }
}

function requestOf(call: AutoScavengeCall): {
  method: 'GET' | 'POST';
  name: string;
  body?: string | undefined;
} {
  if (call === 'status') return { method: 'GET', name: call };
  if (typeof call === 'string') return { method: 'POST', name: call };
  if ('scavenge' in call) return { method: 'POST', name: 'scavenge', body: JSON.stringify(call.scavenge) };
  if ('quietHours' in call) {
    return { method: 'POST', name: 'quiet-hours', body: JSON.stringify(call.quietHours) };
  }
  const { schedule, timeZone } = call;
  const body = JSON.stringify({ schedule, ...(timeZone !== undefined && { timeZone }) });
  return { method: 'POST', name: 'configure', body };
}

/** Its own certificate, which may be self-signed. */
function authorityOf({ certificateFile }: LeaseHolder): string | undefined {
  return certificateFile === null ? undefined : readCertificateAuthority(certificateFile, '--cert');
}
