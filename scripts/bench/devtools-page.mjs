// Asks the page of a window that is starting, over its debugging port. A driver such as Playwright's attaches to the page
// before it has navigated and may then wait for ever; here nothing is attached before the page is there.
const POLL_MS = 20;
const LIMIT_MS = 60_000;

/** `address`: what the application says, `ws://HOST:PORT/...`. Resolves to `evaluate` (an expression, promises awaited). */
export async function openDevtoolsPage(address) {
  const { host } = new URL(address);
  const socket = new WebSocket(await pageAddress(host));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('The page cannot be reached.')), { once: true });
  });
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error ?? result?.exceptionDetails)
      reject?.(new Error(JSON.stringify(error ?? result.exceptionDetails)));
    else resolve?.(result?.result?.value);
  });
  let asked = 0;
  return {
    evaluate: (expression) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        const params = { expression, awaitPromise: true, returnByValue: true };
        socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
      }),
    close: () => socket.close()
  };
}

async function pageAddress(host) {
  const endMs = performance.now() + LIMIT_MS;
  while (performance.now() < endMs) {
    const targets = await (await fetch(`http://${host}/json/list`)).json();
    const page = targets.find(({ type, title }) => type === 'page' && title !== '');
    if (page) return page.webSocketDebuggerUrl;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('No page appeared.');
}
