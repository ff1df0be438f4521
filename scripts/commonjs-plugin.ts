/** Says that the files of a folder are CommonJS: without it Node goes by the `package.json` above, which says that they are modules. */
import type { Plugin } from 'vite';

export function commonJsFolder(): Plugin {
  return {
    name: 'winnow-commonjs-folder',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
    }
  };
}
