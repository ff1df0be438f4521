/** Sites that do not exist: the window's own network asks for them, and the test answers. */
import type { CDPSession } from 'playwright-core';

export interface ForeignAnswer {
  body: string;
  type?: string;
  headers?: Record<string, string>;
}

interface PausedRequest {
  requestId: string;
  request: { url: string };
}

/**
 * Answers every request to `http:` and `https:` with what `answers` has for its address, or with nothing found. The
 * addresses asked for, in the order of asking. `end`: as before.
 */
export async function foreignSites(
  session: CDPSession,
  answers: Readonly<Record<string, ForeignAnswer>>
): Promise<{ asked: readonly string[]; end: () => Promise<void> }> {
  const asked: string[] = [];
  const answer = ({ requestId, request }: PausedRequest): void => {
    asked.push(request.url);
    const { body, type = 'text/html', headers = {} } = answers[request.url] ?? { body: '' };
    const responseHeaders = Object.entries({ 'content-type': type, ...headers }).map(([name, value]) => ({
      name,
      value
    }));
    // The page may be gone by now.
    session
      .send('Fetch.fulfillRequest', {
        requestId,
        responseCode: request.url in answers ? 200 : 404,
        responseHeaders,
        body: Buffer.from(body).toString('base64')
      })
      .catch(() => undefined);
  };
  session.on('Fetch.requestPaused', answer);
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'http://*' }, { urlPattern: 'https://*' }] });
  return {
    asked,
    end: async () => {
      session.off('Fetch.requestPaused', answer);
      await session.send('Fetch.disable');
    }
  };
}
