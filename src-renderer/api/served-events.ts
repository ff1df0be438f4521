/**
 * Server-sent events of an answer, as they arrive. Read by fetch and not by EventSource, which can neither mark its
 * request as the page's nor say that a session has ended.
 */
import { parseServedJson } from './served-json.ts';

export interface ServedEvent {
  name: string;
  data: unknown;
}

/** `onBytes` hears that the service is alive, heartbeats included. */
export async function* servedEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void
): AsyncGenerator<ServedEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventIn(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** undefined: a comment, which keeps the connection from being idle. */
function eventIn(block: string): ServedEvent | undefined {
  const lines = block.split('\n');
  const member = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const name = member('event');
  return name === undefined ? undefined : { name, data: parseServedJson(member('data') ?? 'null') };
}
