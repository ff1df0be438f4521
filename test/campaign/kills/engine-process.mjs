// The built engine in a process of its own, with the channel that Electron's utility process has.
process.parentPort = {
  on: (event, listener) => process.on(event, (data) => listener({ data })),
  postMessage: (message) => process.send(message)
};
await import('../../../out/main/engine-worker.js');
