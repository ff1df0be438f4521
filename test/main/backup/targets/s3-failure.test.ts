/** Answers of a store and of the way to it, told apart by what a person can do. */
import { expect, it } from 'vitest';
import { s3Failed } from '../../../../src-main/backup/targets/s3-failure.ts';

const action = { target: 's3://bucket/x', bucket: 'bucket', object: 'a/b', what: 'read' };
const answer = (name: string, status?: number, message = 'words of the store') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });

it.each<[unknown, RegExp, RegExp]>([
  [answer('NoSuchKey', 404), /no such object/, /winnow backup verify/],
  [answer('NoSuchBucket', 404), /no bucket bucket/, /Create the bucket/],
  [answer('AccessDenied', 403), /credentials for this \(AccessDenied\)/, /AWS_ACCESS_KEY_ID/],
  [answer('SignatureDoesNotMatch', 403), /credentials/, /AWS_SECRET_ACCESS_KEY/],
  [answer('ExpiredToken', 400), /credentials for this \(ExpiredToken\)/, /AWS_/],
  [answer('CredentialsProviderError'), /credentials/, /AWS_PROFILE/],
  [answer('PermanentRedirect', 301), /another region/, /AWS_REGION/],
  [answer('AuthorizationHeaderMalformed', 400, "the region 'a' is wrong"), /another region/, /AWS_REGION/],
  [answer('Error', undefined, 'Region is missing'), /region/, /AWS_REGION/],
  [answer('PreconditionFailed', 412), /was replaced/, /again/],
  [answer('TimeoutError'), /does not answer \(TimeoutError\)/, /--s3-endpoint/],
  [answer('RequestTimeTooSkewed', 400), /does not answer/, /clock/],
  [Object.assign(new Error('region.example'), { code: 'ENOTFOUND' }), /answer \(ENOTFOUND\)/, /connection/],
  [
    new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]),
    /answer \(ECONNREFUSED\)/,
    /address/
  ],
  [
    answer('InternalError', 500, 'try later\nsecret'),
    /InternalError, HTTP 500: try later$/,
    /Check the store/
  ],
  ['a text', /a text/, /Check the store/]
])('%s is %s', (error, message, remedy) => {
  const failure = s3Failed(action, error);
  expect(failure).toMatchObject({ code: 'StorageFailed', details: { bucket: 'bucket', file: 'a/b' } });
  expect(failure.message).toMatch(/^Could not read a\/b in the backup target s3:\/\/bucket\/x: /);
  expect(failure.message).toMatch(message);
  expect(failure.remedy).toMatch(remedy);
  expect(failure.cause).toBeUndefined();
});
