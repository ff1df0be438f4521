// Loaded into a service before anything else: on SIGUSR2 its engine, a worker thread, is ended from outside.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const engines = [];
threads.Worker = class extends threads.Worker {
  constructor(...parameters) {
    super(...parameters);
    engines.push(this);
  }
};
syncBuiltinESMExports();
process.on('SIGUSR2', () => engines.forEach((engine) => engine.terminate()));
