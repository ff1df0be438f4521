// Compiles src-wasm/md5-lanes.ts and writes it, as text that needs no file at run time, to src-core/codec/md5-lanes-code.ts.
//   node scripts/make-wasm.mjs           (a test says when it must be run again)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const OPTIONS = [
  // Higher levels move one vector's steps before the other's, and the processor then waits for each by itself (1.8 times as long).
  '--optimizeLevel',
  '1',
  '--runtime',
  'stub',
  '--enable',
  'simd',
  '--importMemory',
  // Constants: below them are the states of the messages and what is in work.
  '--memoryBase',
  '1024',
  '--initialMemory',
  '1'
];

/** The text of src-core/codec/md5-lanes-code.ts. */
export async function md5LanesCode() {
  let binary;
  const { error, stderr } = await asc.main(['md5-lanes.ts', '--outFile', 'out.wasm', ...OPTIONS], {
    readFile: (name) => {
      const file = path.join(root, 'src-wasm', name);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    },
    writeFile: (name, contents) => {
      if (name === 'out.wasm') binary = Buffer.from(contents);
    }
  });
  if (error) throw new Error(`${error.message}\n${stderr}`);
  const lines = binary.toString('base64').match(/.{1,100}/g);
  return `/** Made by scripts/make-wasm.mjs of src-wasm/md5-lanes.ts: WebAssembly, base64. */
export const MD5_LANES_CODE =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(path.join(root, 'src-core/codec/md5-lanes-code.ts'), await md5LanesCode());
}
