// Loaded before the command when npm started it. A terminal sends Ctrl+C to the whole foreground group, and npm
// passes on what it got: the command would hear it twice, and twice means "end at once" instead of "stop in an
// orderly way". A second interrupt within this time is npm's echo; no one presses a key that fast.
const ECHO_MS = 200;

const emit = process.emit;
let heardAt = -Infinity;

process.emit = function (event, ...rest) {
  if (event === 'SIGINT') {
    const now = performance.now();
    if (now - heardAt < ECHO_MS) return true;
    heardAt = now;
  }
  return Reflect.apply(emit, this, [event, ...rest]);
};
