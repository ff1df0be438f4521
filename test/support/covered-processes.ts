/**
 * For `npm run coverage -- --processes`: threads and commands that a test starts count their branches as well, and run from the sources, so that
 * what they count are the branches of the sources. Node writes the counts of each when it ends, into the directory that is named here.
 * A setup file of vitest. A process that is killed writes nothing.
 */
process.env['NODE_V8_COVERAGE'] = process.env['WINNOW_COVERED'];
// Of code that comes out of the cache only whole functions are counted.
process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
// What the built ones need not say.
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --disable-warning=ExperimentalWarning`;
