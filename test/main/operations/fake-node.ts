/** A server as far as a backup asks one: info, gossip, scavenges, auto-scavenge. Remembers what it was asked. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeNode {
  url: string;
  asked: string[];
  /** Role of the node in its gossip. */
  role: string;
  scavengeId: string;
  autoScavenge: 'Waiting' | 'InProgress' | 'Pausing' | 'Paused' | undefined;
  close(): Promise<void>;
}

const USER = `Basic ${Buffer.from('ops:secret').toString('base64')}`;

export async function startFakeNode(): Promise<FakeNode> {
  const node: Omit<FakeNode, 'url' | 'close'> = {
    asked: [],
    role: 'Follower',
    scavengeId: '',
    autoScavenge: undefined
  };
  const server = http.createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const question = `${request.method} ${request.url}`;
    node.asked.push(question);
    const needsUser = question.includes('scavenge');
    if (needsUser && request.headers.authorization !== USER) {
      response.writeHead(401).end();
      return;
    }
    const answer = answers(node, port)[question];
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(node, {
    url,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()))
  });
}

function answers(
  node: Omit<FakeNode, 'url' | 'close'>,
  port: number
): Record<string, (() => unknown) | undefined> {
  const member = (memberPort: number, state: string) => ({
    instanceId: `00000000-0000-0000-0000-00000000${memberPort}`,
    state,
    isAlive: true,
    httpEndPointIp: '127.0.0.1',
    httpEndPointPort: memberPort,
    writerCheckpoint: 1000
  });
  const autoScavenge =
    node.autoScavenge === undefined
      ? undefined
      : (): unknown => ({ state: node.autoScavenge, schedule: '0 0 * * *' });
  return {
    'GET /info': () => ({ dbVersion: '26.2.0', state: node.role.toLowerCase() }),
    'GET /gossip': () => ({
      members: [member(port, node.role), member(1001, 'Leader'), member(1002, 'Follower')],
      serverIp: '127.0.0.1',
      serverPort: port
    }),
    'GET /admin/scavenge/current': () => ({ scavengeId: node.scavengeId, scavengeLink: '' }),
    'DELETE /admin/scavenge/current': () => {
      node.scavengeId = '';
      return 'stopped';
    },
    'POST /admin/scavenge': () => ({ scavengeId: (node.scavengeId = 'resumed') }),
    'GET /auto-scavenge/status': autoScavenge,
    'POST /auto-scavenge/pause': () => (node.autoScavenge = 'Paused'),
    'POST /auto-scavenge/resume': () => (node.autoScavenge = 'InProgress')
  };
}
