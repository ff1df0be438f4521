/**
 * A failure of an object store or of the connection to it, as an EngineError that names bucket and object. The message of the
 * store is passed on only if it cannot contain credentials; its headers and the request never are.
 */
import { EngineError } from '../../../src-core/index.ts';

export interface S3Action {
  target: string;
  bucket: string;
  /** Name in the target; empty for the bucket itself. */
  object: string;
  /** As in "Could not … the object". */
  what: string;
}

interface Answer {
  name: string;
  status: number | undefined;
  message: string;
  systemWord: string | undefined;
}

const SYSTEM_WORDS = /^E[A-Z_]+$/;
const ABOUT_CREDENTIALS =
  /Credential|AccessKey|AccessDenied|Signature|Token|Authoriz|Forbidden|Unauthorized/i;
const ABOUT_TIME = /Timeout|TimeTooSkewed|RequestExpired/i;

/** True for an answer that there is no such object. */
export function isMissing(error: unknown): boolean {
  const { name, status } = answerOf(error);
  return name === 'NoSuchKey' || (status === 404 && name !== 'NoSuchBucket');
}

/** True for a range that begins after the end of the object. */
export function isBehindEnd(error: unknown): boolean {
  return answerOf(error).status === 416;
}

export function s3Failed(action: S3Action, error: unknown): EngineError {
  const answer = answerOf(error);
  const { reason, remedy } = explain(answer, action);
  const place = action.object === '' ? `the bucket ${action.bucket}` : action.object;
  return new EngineError({
    code: 'StorageFailed',
    message: `Could not ${action.what} ${place} in the backup target ${action.target}: ${reason}`,
    remedy,
    details: {
      target: action.target,
      bucket: action.bucket,
      file: action.object,
      reason: answer.name,
      ...(answer.status === undefined ? {} : { status: answer.status }),
      ...(answer.systemWord === undefined ? {} : { osCode: answer.systemWord })
    }
  });
}

function explain(answer: Answer, { bucket, object }: S3Action): { reason: string; remedy: string } {
  const { name, status, message, systemWord } = answer;
  const again = 'Then run the same command again; it resumes.';
  if (name === 'NoSuchBucket' || (status === 404 && object === '')) {
    return { reason: `there is no bucket ${bucket}.`, remedy: 'Create the bucket, or name another one.' };
  }
  if (isMissing({ name, $metadata: { httpStatusCode: status } })) {
    return { reason: 'there is no such object.', remedy: '"winnow backup verify" shows what is missing.' };
  }
  if (status === 412) {
    return { reason: 'it was replaced while it was read.', remedy: 'Run the same command again.' };
  }
  const isAboutRegion = systemWord === undefined && /region/i.test(`${name} ${message}`);
  if (status === 301 || name === 'PermanentRedirect' || isAboutRegion) {
    return {
      reason: `the bucket is in another region, or no region is set (${name}).`,
      remedy: `Set AWS_REGION to the region of the bucket. ${again}`
    };
  }
  if (status === 401 || status === 403 || ABOUT_CREDENTIALS.test(name)) {
    return {
      reason: `the store does not accept the credentials for this (${name}).`,
      remedy: `Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_PROFILE, and the permissions on the bucket. ${again}`
    };
  }
  if (systemWord !== undefined || ABOUT_TIME.test(name)) {
    return {
      reason: `the store does not answer (${systemWord ?? name}).`,
      remedy: `Check the address (--s3-endpoint), the connection and the clock of this machine. ${again}`
    };
  }
  return {
    reason: `${name}${status === undefined ? '' : `, HTTP ${status}`}: ${message.split('\n')[0] ?? ''}`,
    remedy: `Check the store and the connection. ${again}`
  };
}

function answerOf(error: unknown): Answer {
  if (!(error instanceof Object))
    return { name: 'Error', status: undefined, message: String(error), systemWord: undefined };
  const shape = error as {
    name?: unknown;
    message?: unknown;
    code?: unknown;
    $metadata?: { httpStatusCode?: unknown } | undefined;
    cause?: unknown;
    errors?: unknown;
  };
  const status = shape.$metadata?.httpStatusCode;
  const inner = Array.isArray(shape.errors) ? (shape.errors[0] as unknown) : shape.cause;
  const own = typeof shape.code === 'string' && SYSTEM_WORDS.test(shape.code) ? shape.code : undefined;
  return {
    name: typeof shape.name === 'string' ? shape.name : 'Error',
    status: typeof status === 'number' ? status : undefined,
    message: typeof shape.message === 'string' ? shape.message : '',
    systemWord: own ?? (inner instanceof Error ? answerOf(inner).systemWord : undefined)
  };
}
