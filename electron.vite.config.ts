import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { fileURLToPath } from 'node:url';
import { asciiCode } from './scripts/ascii-plugin.ts';
import { commonJsFolder } from './scripts/commonjs-plugin.ts';
import { documentation } from './scripts/documentation-plugin.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// scripts/build.mjs builds beside out/ and moves the finished files in; for commands only out/main.
const out = process.env['WINNOW_BUILD_OUT'] ?? 'out';
const target = process.env['WINNOW_BUILD_TARGET'] ?? 'all';
/** The licences of what is bundled travel with the bundle, as they ask. */
const license = { fileName: 'third-party-licences.md' };

/** Threads of the engine: their files lie beside those that start them. */
const threads = {
  'copy-worker': at('./src-main/threads/copy-worker.ts'), // of a backup
  'rewrite-worker': at('./src-main/threads/rewrite-worker.ts'), // of a scavenge
  'digest-worker': at('./src-main/threads/digest-worker.ts'), // that read chunks for digests
  'verify-worker': at('./src-main/threads/verify-worker.ts') // of a verification
};
const programs = {
  main: at('./src-main/main.ts'), // Electron's main process
  cli: at('./src-main/cli/cli.ts'), // the command line, plain Node
  'string-width': 'string-width', // for text beyond ASCII: src-main/cli/wide-text.ts
  yaml: 'yaml', // for configuration files: src-main/settings/yaml-library.ts
  'engine-worker': at('./src-main/engine/engine-worker.ts') // utility process or worker thread
};
/** One operation and its time, for benchmarks: what is measured is built as what users run. */
const measured = { 'operation-time': at('./scripts/bench/operation-time.mjs') };

const windowParts = {
  preload: {
    build: {
      outDir: `${out}/preload`,
      externalizeDeps: false, // a sandboxed preload script cannot require packages
      rolldownOptions: {
        input: { preload: at('./src-main/ipc/preload.ts') },
        output: { format: 'cjs' as const, entryFileNames: '[name].cjs' } // and must be one CommonJS file
      }
    }
  },
  renderer: {
    root: at('./src-renderer'),
    publicDir: false as const,
    server: {
      // Development only; the app:// scheme of the built application sends a stricter policy.
      headers: {
        'Content-Security-Policy':
          "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws:"
      }
    },
    build: {
      outDir: at(`./${out}/renderer`),
      emptyOutDir: true,
      minify: true,
      license,
      rolldownOptions: { input: { index: at('./src-renderer/index.html') } }
    },
    plugins: [svelte({ configFile: at('./svelte.config.js') }), documentation()]
  }
};

export default defineConfig({
  main: {
    plugins: [asciiCode(), commonJsFolder()],
    build: {
      outDir: `${out}/${target === 'measured' ? target : 'main'}`,
      license,
      externalizeDeps: false, // everything is bundled: the packaged application needs no node_modules but koffi
      sourcemap: true,
      rolldownOptions: {
        external: ['koffi'], // a native library; it loads its binary by path
        // A module of the engine does nothing when it is loaded (test/architecture.test.ts): whoever imports one name
        // through its index loads that module only, not all of them.
        treeshake: { moduleSideEffects: (id: string) => !/\/src-core\//.test(id) },
        input: { ...(target === 'measured' ? measured : programs), ...threads },
        output: {
          format: 'cjs' as const, // loads in less time than modules do: docs/decisions/0064
          // Half of the bytes that a command reads when it starts. Names stay: a report of a fault shows them.
          minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: true },
          entryFileNames: '[name].js',
          // Chunks stay beside the entries, so that new URL('./engine-worker.js', import.meta.url)
          // means the same thing in an entry and in a shared chunk.
          chunkFileNames: 'chunk-[name]-[hash].js'
        }
      }
    }
  },
  ...(target === 'all' ? windowParts : {})
});
