/** Adds nodes and clusters to the lists of a home, one after another, as soon as a line comes on stdin. */
import { once } from 'node:events';
import path from 'node:path';
import { ClusterRegistry } from '../../../src-main/settings/cluster-registry.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';

const [home = '', name = '', count = '0'] = process.argv.slice(2);
const nodes = new NodeRegistry(home, Date.now);
const clusters = new ClusterRegistry(home);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (let number = 0; number < Number(count); number++) {
  const dataDirectory = path.join(home, `${name}-${number}`);
  const { id } = nodes.open({ dataDirectory });
  nodes.edit(id, { name: `${name} ${number}` });
  clusters.register({ kind: 'local', name: `${name}-${number}`, members: [{ dataDirectory }] });
}
process.exit();
