/** Requests as bytes: what no client library would send. */
import net from 'node:net';

/** Resolves with everything that came back once the connection has ended. */
export function rawRequest(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
